import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bytesOf } from "../../probe/transcript/body.ts";
import { compareFolder } from "./compare.ts";
import type { ApiFile } from "./files.ts";
import { replaceFolder } from "./write.ts";

const FILES = { "a.json": '{"a":1}\n', "b/c.svg": "<svg/>" };

async function* files(contents: Record<string, string>): AsyncIterable<ApiFile> {
  for (const [path, text] of Object.entries(contents)) yield { path, bytes: bytesOf(text) };
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "probity-compare-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  const api = join(path, "api");
  await replaceFolder(api, files(FILES));
  return api;
}

test("equal files are counted", async () => {
  expect(await compareFolder(await folder(), files(FILES))).toBe(2);
});

test.each<[string, Record<string, string>, RegExp]>([
  [
    "differs",
    { ...FILES, "a.json": '{"a":2}\n' },
    /a\.json: differs at byte 5\n.*stored.*1.*\n.*derived.*2/,
  ],
  ["is missing", { ...FILES, "d.json": "" }, /d\.json: is missing/],
  ["is shorter", { ...FILES, "b/c.svg": "<svg" }, /c\.svg: differs at byte 4/],
])("a file that %s is named", async (_, expected, message) => {
  await expect(compareFolder(await folder(), files(expected))).rejects.toThrow(message);
});

test("a file too many is named", async () => {
  const api = await folder();
  await writeFile(join(api, "extra.json"), "");
  await expect(compareFolder(api, files(FILES))).rejects.toThrow(
    /extra\.json: is not what the data give/,
  );
});
