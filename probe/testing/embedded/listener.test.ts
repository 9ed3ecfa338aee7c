import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { UsageError } from "../../errors.ts";
import { isRunning } from "../../store/lock.ts";
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

test("a server does not outlive a parent that was killed", async () => {
  const script = `
    import { startListener } from ${JSON.stringify(join(import.meta.dirname, "listener.ts"))};
    const children = [];
    const argv = ["--eval", ${JSON.stringify(LISTENS)}];
    await startListener({ name: "sample", argv }, 0, children);
    console.log(children[0].pid);`;
  const parent = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said] = (await once(parent.stdout, "data")) as [Buffer];
  const server = Number(said.toString());
  expect(isRunning(server)).toBe(true);
  parent.kill("SIGKILL");
  await expect.poll(() => isRunning(server), { timeout: 10_000 }).toBe(false);
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
