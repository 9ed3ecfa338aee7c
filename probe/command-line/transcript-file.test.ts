import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { UsageError } from "../errors.ts";
import { httpTranscript } from "../testing/transcripts.ts";
import { readTranscripts, writeTranscript } from "./transcript-file.ts";

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "probity-transcript-"));
});
afterEach(() => rm(root, { recursive: true }));

test("a transcript that was written is read back, and nothing is left beside it", async () => {
  const path = join(root, "t.json");
  await writeTranscript(path, httpTranscript());
  expect(await readTranscripts(path)).toEqual([httpTranscript()]);
  expect(await readdir(root)).toEqual(["t.json"]);
});

test("a file that came while the server was asked stays as it is", async () => {
  const path = join(root, "t.json");
  await writeFile(path, "mine");
  await expect(writeTranscript(path, httpTranscript())).rejects.toThrow(UsageError);
  await expect(writeTranscript(path, httpTranscript())).rejects.toThrow("never overwritten");
  expect(await readFile(path, "utf8")).toBe("mine");
  expect(await readdir(root)).toEqual(["t.json"]);
});
