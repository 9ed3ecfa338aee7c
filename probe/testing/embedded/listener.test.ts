import type { ChildProcess } from "node:child_process";
import { expect, test } from "vitest";
import { UsageError } from "../../errors.ts";
import { startListener, stopListener } from "./listener.ts";

const program = (script: string) => ({ name: "sample", argv: ["--eval", script] });
const LISTENS =
  'console.log("listening on port " + process.env.PORT); setInterval(() => {}, 1000);';

test("a server that says that it listens is up, and gone after it was stopped", async () => {
  const children: ChildProcess[] = [];
  expect(await startListener(program(LISTENS), 0, children)).toBeGreaterThan(0);
  await Promise.all(children.map(stopListener));
  expect(children.map(({ signalCode }) => signalCode)).toEqual(["SIGKILL"]);
});

test("a server that ends is an error that shows what it said", async () => {
  const starting = startListener(program('console.error("no such luck")'), 0, []);
  await expect(starting).rejects.toThrow(UsageError);
  await expect(starting).rejects.toThrow(/sample did not start.*no such luck/s);
});

test("a server that found its port taken gets another one, three times", async () => {
  const children: ChildProcess[] = [];
  const starting = startListener(program('console.error("EADDRINUSE")'), 0, children);
  await expect(starting).rejects.toThrow("EADDRINUSE");
  expect(children).toHaveLength(3);
});
