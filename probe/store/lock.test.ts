import { spawnSync } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { UsageError } from "../errors.ts";
import { takeLock } from "./lock.ts";
import { dataFolder } from "./testing/runs.ts";

const lockIn = async () => ({ path: join(await dataFolder(), "lock"), patience: 0, held: "Held" });

/** A process that has ended. */
const ended = () => spawnSync(process.execPath, ["--version"]).pid;

describe("a lock", () => {
  test("is had by one at a time, and gone when it is given back", async () => {
    const lock = await lockIn();
    const release = await takeLock(lock);
    await expect(takeLock(lock)).rejects.toThrow(UsageError);
    await release();
    await (
      await takeLock(lock)
    )();
    expect(await readdir(join(lock.path, ".."))).toEqual([]);
  });

  test("is waited for", async () => {
    const lock = await lockIn();
    const release = await takeLock(lock);
    const second = takeLock({ ...lock, patience: 10_000 });
    await release();
    await (
      await second
    )();
  });

  test.each([
    ["ended", ended],
    ["ended, and had the number that we have", () => process.pid],
  ])("is taken over when its process has %s", async (_, pid) => {
    const lock = await lockIn();
    await writeFile(lock.path, `${pid()}\n`);
    const release = await takeLock(lock);
    expect(await readFile(lock.path, "utf8")).toBe(`${process.pid}\n`);
    await release();
  });

  test("is taken over by one alone of many", async () => {
    const lock = await lockIn();
    await writeFile(lock.path, `${ended()}\n`);
    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => takeLock(lock)));
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test.each([
    ["lives", `${process.ppid}\n`, `process ${process.ppid}`],
    ["cannot be told", "", "an unknown process"],
  ])("is left alone when its process %s", async (_, text, who) => {
    const lock = await lockIn();
    await writeFile(lock.path, text);
    await expect(takeLock(lock)).rejects.toThrow(who);
    expect(await readFile(lock.path, "utf8")).toBe(text);
  });
});
