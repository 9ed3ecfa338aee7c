import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../clock.ts";
import { record } from "../record.ts";
import { limit } from "../rules.ts";
import type { RunKind } from "../transcript/schema.ts";
import { eventsOf } from "../views/view.ts";
import { testTransport } from "./contract.ts";
import { type Launch, Stdio } from "./stdio.ts";

const SERVER = join(import.meta.dirname, "../testing/servers/stdio.ts");

const launch = (...argv: readonly [string, ...string[]]): Launch => ({
  argv,
  shown: argv,
  cwd: tmpdir(),
  environment: { PATH: process.env["PATH"] ?? "" },
});

testTransport("stdio", async (behaviour, recorder) => {
  const command =
    behaviour === "absent"
      ? launch("no-such-program-here")
      : launch(process.execPath, SERVER, behaviour);
  const transport = new Stdio(command, recorder, systemClock);
  return { transport, remains: async () => (transport.alive ? 1 : 0) };
});

const TARGET = {
  kind: "command",
  key: "x",
  argv: ["x"],
  environment: {},
  missing: [],
} as const;

/** Records a server given as a script. */
async function recordScript(
  script: string,
  environment: Record<string, string> = {},
  kind: RunKind = "liveness",
) {
  const command = launch(process.execPath, "-e", script);
  const target = { ...TARGET, argv: [...TARGET.argv], missing: [] };
  return record(target, {
    kind,
    launch: { ...command, environment: { ...command.environment, ...environment } },
  });
}

describe("a process", () => {
  test("gets no variable of ours but the given ones", async () => {
    process.env["PROBITY_TEST_SECRET"] = "do-not-leak";
    onTestFinished(() => void delete process.env["PROBITY_TEST_SECRET"]);
    const transcript = await recordScript(
      "process.stderr.write(JSON.stringify(Object.keys(process.env).sort())); process.exit(0)",
      { GIVEN: "1" },
    );
    const said = eventsOf(transcript.events, "received").map(({ data }) => data);
    expect(Buffer.concat(said).toString()).toMatch(/^\["GIVEN","PATH"\]/);
    expect(eventsOf(transcript.events, "spawned")[0]!.environment).toEqual(["GIVEN", "PATH"]);
  });

  test("is not blocked by an unread stderr, of which the first part is kept", async () => {
    const transcript = await recordScript(`
      process.stdin.once("data", () => {
        process.stderr.write("x".repeat(1048576), () => {
          process.stdout.write('{"jsonrpc":"2.0","id":1,"result":{}}\\n');
        });
      });`);
    const stderr = eventsOf(transcript.events, "received").filter((e) => e.channel === "stderr");
    expect(stderr.reduce((sum, { data }) => sum + data.length, 0)).toBe(262_144);
    expect(eventsOf(transcript.events, "received").some((e) => e.channel === "stdout")).toBe(true);
  });

  test("is read up to the size limit of an attempt, over all its lines", async () => {
    const transcript = await recordScript(`
      const line = "x".repeat(1048575) + "\\n";
      const write = () => { while (process.stdout.write(line)); process.stdout.once("drain", write); };
      process.stdin.once("data", write).once("end", () => process.exit(0));`);
    const [capped] = eventsOf(transcript.events, "capped");
    expect(capped).toMatchObject({ channel: "stdout", limit: limit("attempt") });
    const size = eventsOf(transcript.events, "received").reduce((sum, e) => sum + e.data.length, 0);
    expect(size).toBeLessThan(limit("attempt") + 1024 * 1024);
  });

  test("that ignores the end of its input and SIGTERM is killed, with all that it started", async () => {
    const folder = await mkdtemp(join(tmpdir(), "probity-test-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const transcript = await recordScript(`
      const { spawn } = require("node:child_process");
      process.on("SIGTERM", () => {});
      const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
      process.stderr.write(String(child.pid));
      setInterval(() => {}, 1000);
      process.stdin.once("data", () => process.stdout.write('{"jsonrpc":"2.0","id":1,"result":{}}\\n'));`);
    expect(eventsOf(transcript.events, "stopping").map(({ by }) => by)).toEqual([
      "stdin",
      "SIGTERM",
      "SIGKILL",
    ]);
    const stderr = eventsOf(transcript.events, "received").find((e) => e.channel === "stderr")!;
    const grandchild = Number(Buffer.from(stderr.data).toString());
    await expect.poll(() => isRunning(grandchild)).toBe(false);
  });

  test("is followed into a session of its own", async () => {
    const transcript = await recordScript(`
      const { spawn } = require("node:child_process");
      const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore", detached: true });
      process.stderr.write(String(child.pid));
      process.stdin.once("data", () => process.stdout.write('{"jsonrpc":"2.0","id":1,"result":{}}\\n'));
      process.stdin.once("end", () => process.exit(0));`);
    const stderr = eventsOf(transcript.events, "received").find((e) => e.channel === "stderr")!;
    const stray = Number(Buffer.from(stderr.data).toString());
    await expect.poll(() => isRunning(stray)).toBe(false);
  });

  test("that starts another and ends, which keeps its pipes, is over, and so is the other", async () => {
    const transcript = await recordScript(`
      const { spawn } = require("node:child_process");
      const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" });
      process.stderr.write(String(child.pid), () => process.exit(0));`);
    const exits = eventsOf(transcript.events, "exited").map(({ code }) => code);
    expect(new Set(exits)).toEqual(new Set([0]));
    const stderr = eventsOf(transcript.events, "received").find((e) => e.channel === "stderr")!;
    const other = Number(Buffer.from(stderr.data).toString());
    await expect.poll(() => isRunning(other)).toBe(false);
  });

  test("that closes its input once it was asked breaks what is sent to it after that", async () => {
    const script = `
      const { closeSync, readSync, writeSync } = require("node:fs");
      readSync(0, Buffer.alloc(4096));
      closeSync(0);
      writeSync(1, '{"jsonrpc":"2.0","id":1,"result":{}}\\n');
      setInterval(() => {}, 1000);`;
    const transcript = await recordScript(script, {}, "full");
    const codes = eventsOf(transcript.events, "broke").map(({ fault }) => fault.code);
    expect(codes).toContain("EPIPE");
    expect(transcript.events.at(-1)?.type).toBe("exited");
  }, 20_000);

  test("that closed its output and runs on ends its part of the conversation", async () => {
    const transcript = await recordScript(`
      require("node:fs").closeSync(1);
      setInterval(() => {}, 1000);`);
    const types = transcript.events.map(({ type }) => type);
    expect(types).toContain("ended");
    expect(types).not.toContain("timed-out");
    expect(types.at(-1)).toBe("exited");
  }, 20_000);

  test("that ends before it answers is on record with its exit code", async () => {
    const transcript = await recordScript("process.exit(7)");
    expect(eventsOf(transcript.events, "exited")[0]).toMatchObject({ code: 7, signal: null });
  });

  test("whose last words and end come together has both on record, in that order", async () => {
    const transcript = await recordScript(
      `process.stdin.once("data", () => { process.stdout.write('{"jsonrpc":"2.0","id":1,"result":{}}\\n'); process.exit(0); })`,
    );
    const types = transcript.events.map(({ type }) => type);
    expect(types.indexOf("received")).toBeLessThan(types.indexOf("exited"));
  });
});

/** One that is dead and not yet fetched by its parent is over. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}
