import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DataError, UsageError } from "../errors.ts";
import { observe } from "../evaluate.ts";
import { appendRun } from "./append.ts";
import { readBodies, readObservations, readRuns, readTranscripts, type StoredRun } from "./read.ts";
import { replay } from "./replay.ts";
import { dataFolder, judges, newRun, transcripts } from "./testing/runs.ts";

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

async function runsOf(data: string): Promise<StoredRun[]> {
  return all(readRuns(data));
}

describe("a run that was appended", () => {
  test.each([".jsonl.zst", ".jsonl", ".jsonl.gz"] as const)(
    "is read back whole from %s",
    async (extension) => {
      const data = await dataFolder();
      const id = await appendRun(data, newRun(6), extension);
      expect(id).toBe("2026/11/30/0600Z-full-test");
      const [run] = await runsOf(data);
      const read = await all(readTranscripts(run!));
      expect(read.map(({ value }) => value)).toEqual(transcripts);
      expect((await all(readObservations(run!))).map(({ value }) => value)).toEqual(
        transcripts.map((each) => observe([each], judges)),
      );
    },
  );

  test("names the one before it, and stores only bodies that are new", async () => {
    const data = await dataFolder();
    await appendRun(data, newRun(6));
    await appendRun(data, newRun(12));
    const [first, second] = await runsOf(data);
    expect([first!.record.previous, second!.record.previous]).toEqual([null, first!.digest]);
    expect(await all(readBodies(first!))).not.toEqual([]);
    expect(await all(readBodies(second!))).toEqual([]);
    expect((await all(readTranscripts(second!))).map(({ value }) => value)).toEqual(transcripts);
  });

  test("is never rewritten", async () => {
    const data = await dataFolder();
    await appendRun(data, newRun(6));
    const before = await readFile(join(data, "runs/2026/11/30/0600Z-full-test/run.json"), "utf8");
    await expect(appendRun(data, newRun(6, []))).rejects.toThrow(UsageError);
    await expect(appendRun(data, newRun(6, []))).rejects.toThrow("Runs are never rewritten");
    expect(await readFile(join(data, "runs/2026/11/30/0600Z-full-test/run.json"), "utf8")).toBe(
      before,
    );
  });
});

describe("two writers", () => {
  test("take turns, so that the chain has one end", async () => {
    const data = await dataFolder();
    await Promise.all([6, 12, 18].map((hour) => appendRun(data, newRun(hour))));
    await expect(replay(data, judges)).resolves.toMatchObject({ runs: 3 });
    expect(await readdir(data)).toEqual(["runs"]);
  });

  test("in two processes take turns as well", async () => {
    const data = await dataFolder();
    const program = `
      import { appendRun } from ${JSON.stringify(join(import.meta.dirname, "append.ts"))};
      import { newRun } from ${JSON.stringify(join(import.meta.dirname, "testing/killed-run.ts"))};
      await appendRun(${JSON.stringify(data)}, { ...newRun, name: process.argv[1] });`;
    const codes = ["one", "two"].map(async (name) => {
      const argv = ["--input-type=module", "-e", program, name];
      const [code] = await once(spawn(process.execPath, argv, { stdio: "inherit" }), "exit");
      return code as unknown;
    });
    expect(await Promise.all(codes)).toEqual([0, 0]);
    const previous = (await runsOf(data)).map(({ record }) => record.previous);
    expect(new Set(previous).size).toBe(2);
  });

  test("do not wait for ever: the message names the process and the file", async () => {
    const data = await dataFolder();
    const message = new RegExp(`adds a run to .*process ${process.ppid}.*remove .*\\.lock`);
    await writeFile(join(data, ".lock"), `${process.ppid}\n`);
    await expect(appendRun(data, newRun(6), ".jsonl", 0)).rejects.toThrow(UsageError);
    await expect(appendRun(data, newRun(6), ".jsonl", 0)).rejects.toThrow(message);
    expect(await runsOf(data)).toEqual([]);
  });
});

describe("nothing is left of a run", () => {
  test("that does not fit its schema", async () => {
    const data = await dataFolder();
    const run = { ...newRun(6), rules: "no digest" };
    await expect(appendRun(data, run)).rejects.toThrow(DataError);
    expect(await runsOf(data)).toEqual([]);
  });

  test("whose name is no name", async () => {
    const data = await dataFolder();
    await expect(appendRun(data, { ...newRun(6), name: "../x" })).rejects.toThrow("is no run id");
  });

  test("whose writer was killed, and the next one clears up behind it", async () => {
    const data = await dataFolder();
    const script = `
      import { appendRun } from ${JSON.stringify(join(import.meta.dirname, "append.ts"))};
      import { newRun } from ${JSON.stringify(join(import.meta.dirname, "testing/killed-run.ts"))};
      await appendRun(${JSON.stringify(data)}, newRun);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: "ignore",
    });
    await expect.poll(() => leftover(data), { timeout: 20_000, interval: 1 }).toBeDefined();
    child.kill("SIGKILL");
    await once(child, "exit");
    const whole = (await runsOf(data)).length;
    await appendRun(data, newRun(12));
    expect(await leftover(data)).toBeUndefined();
    expect(await runsOf(data)).toHaveLength(whole + 1);
    await replay(data, judges);
  });
});

const leftover = async (data: string) =>
  (await readdir(data)).find((name) => name.startsWith(".incoming-"));

test("a reader refuses a folder that is no run", async () => {
  const data = await dataFolder();
  await mkdir(join(data, "runs/2026/11/30/notes"), { recursive: true });
  await expect(runsOf(data)).rejects.toThrow("is no name of a run");
});

test("an absent data folder holds no runs", async () => {
  expect(await runsOf("/nonexistent-probity-data")).toEqual([]);
});

test("transcripts without their observations are refused", async () => {
  const data = await dataFolder();
  const [shard] = newRun(6).shards;
  const run = { ...newRun(6), shards: [{ ...shard!, observations: [] }] };
  await expect(appendRun(data, run)).rejects.toThrow("different targets");
  expect(await runsOf(data)).toEqual([]);
});
