/** The commands as people run them, each in a process of its own, given places that cannot be. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { appendRun } from "../probe/store/append.ts";
import { newRun } from "../probe/store/testing/runs.ts";

const REPOSITORY = join(import.meta.dirname, "..");

interface Result {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function script(name: string, args: readonly string[]): Promise<Result> {
  const argv = [join(import.meta.dirname, `${name}.ts`), ...args];
  return new Promise((resolve) => {
    // A command that hangs is ended, and has no exit code of its own.
    execFile(process.execPath, argv, { timeout: 30_000 }, (error, out, err) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ code, out, err });
    });
  });
}

let root = "";
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "probity-commands-"));
  for (const name of ["data/listings", "other", "file-for-folder"]) {
    await mkdir(join(root, name), { recursive: true });
  }
  await writeFile(join(root, "file"), "mine");
  await writeFile(join(root, "other/notes.txt"), "mine");
  await writeFile(join(root, "file-for-folder/listings"), "mine");
  await mkdir(join(root, "file-for-folder/runs"));
  await symlink(join(REPOSITORY, "data"), join(root, "link"));
});
afterAll(() => rm(root, { recursive: true }));

describe("a place that cannot be is one line that says what to do, and exit code 2:", () => {
  test.each([
    ["start", "the folder of real runs", ["--data", `${REPOSITORY}/data`]],
    ["start", "a folder to be made in it", ["--data", `${REPOSITORY}/data/listings/new`]],
    ["start", "a folder in it behind a link", ["--data", "ROOT/link/new"]],
    ["start", "a folder of something else", ["--data", "ROOT/other"]],
    ["start", "a file", ["--data", "ROOT/file"]],
    ["start", "below a file", ["--data", "ROOT/file/data"]],
    ["start", "a folder that nobody can make", ["--data", "/proc/data"]],
    ["start", "an unknown option", ["--frobnicate"]],
    ["publish", "an absent data folder", ["--data", "ROOT/nowhere"]],
    ["publish", "a folder that holds no data", ["--data", "ROOT/other"]],
    ["publish", "files of somebody else", ["--data", "ROOT/data", "--out", "ROOT/other"]],
    ["publish", "a place below a file", ["--data", "ROOT/data", "--out", "ROOT/file/api"]],
    ["publish", "a place that nobody can make", ["--data", "ROOT/data", "--out", "/proc/api/v1"]],
    ["replay", "a folder that holds no data", ["--data", "ROOT/other"]],
    ["replay", "an absent API", ["--data", "ROOT/data", "--api", "ROOT/nowhere"]],
    ["replay", "a file for an API", ["--data", "ROOT/data", "--api", "ROOT/file"]],
    ["validate-data", "a file where listings belong", ["--data", "ROOT/file-for-folder"]],
    ["validate-data", "a folder that holds no data", ["--data", "ROOT/other"]],
  ])("%s, %s", async (name, _, args) => {
    const before = await readdir(root, { recursive: true });
    const { code, out, err } = await script(
      name,
      args.map((each) => each.replace("ROOT", root)),
    );
    expect(err).toMatch(/^probity: .+\n$/);
    expect(code).toBe(2);
    expect(out).not.toContain("all equal");
    expect(await readdir(root, { recursive: true })).toEqual(before);
  });
});

describe("npm run validate-data", () => {
  const RUN = "runs/2026/11/30";

  async function stored(): Promise<string> {
    const data = await mkdtemp(join(tmpdir(), "probity-validate-"));
    onTestFinished(() => rm(data, { recursive: true }));
    await appendRun(data, newRun(6), ".jsonl");
    await appendRun(data, newRun(12), ".jsonl");
    return data;
  }

  test("finds nothing in data that nobody touched", async () => {
    const { code, out } = await script("validate-data", ["--data", await stored()]);
    expect(out).toMatch(
      /0 listings, 2 runs, their \d+ lines and the digests of \d+ bytes are valid/,
    );
    expect(code).toBe(0);
  });

  test.each([
    [
      "an outcome",
      "0600Z-full-test/01.observations.jsonl",
      '"passed"',
      '"failed"',
      /run\.json says/,
    ],
    ["a body", "0600Z-full-test/01.bodies.jsonl", "get_word", "get_wOrd", /body \w+ was changed/],
    [
      "an event",
      "1200Z-full-test/01.transcripts.jsonl",
      '"attempt":1',
      '"attempt":2',
      /run\.json says/,
    ],
    [
      "a run.json",
      "0600Z-full-test/run.json",
      '"region": "test"',
      '"region": "else"',
      /no run\.json has/,
    ],
  ])("names the file when %s was changed", async (_, file, from, to, problem) => {
    const data = await stored();
    const path = join(data, RUN, file);
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replace(from, to));
    expect(await readFile(path, "utf8")).not.toBe(text);
    const { code, err } = await script("validate-data", ["--data", data]);
    expect(err).toMatch(problem);
    expect(code).toBe(1);
  });

  test("names a file that run.json does not", async () => {
    const data = await stored();
    await writeFile(join(data, RUN, "0600Z-full-test/notes.txt"), "");
    const { code, err } = await script("validate-data", ["--data", data]);
    expect(err).toMatch(/notes\.txt: is a file that run\.json does not name/);
    expect(code).toBe(1);
  });
});
