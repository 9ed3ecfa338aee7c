import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { bytesOf } from "../../probe/transcript/body.ts";
import type { ApiFile } from "./files.ts";
import { replaceFolder } from "./write.ts";

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "api-"));
});
afterEach(() => rm(root, { recursive: true }));

async function* files(...paths: readonly string[]): AsyncIterable<ApiFile> {
  for (const path of paths) yield { path, bytes: bytesOf("new") };
}
async function* broken(): AsyncIterable<ApiFile> {
  yield { path: "a.json", bytes: bytesOf("new") };
  throw new Error("half way");
}
const listed = async (folder: string) => (await readdir(folder, { recursive: true })).toSorted();

describe("a folder is replaced", () => {
  test("also when there is none yet", async () => {
    const out = join(root, "api", "v1");
    expect(await replaceFolder(out, files("a.json", "b/c.json"))).toEqual({ files: 2, bytes: 6 });
    expect(await listed(join(root, "api"))).toEqual(["v1", "v1/a.json", "v1/b", "v1/b/c.json"]);
    expect(await readFile(join(out, "b/c.json"), "utf8")).toBe("new");
  });

  test("as a whole: what is no longer published is gone", async () => {
    const out = join(root, "v1");
    await mkdir(out);
    await writeFile(join(out, "gone.json"), "old");
    await replaceFolder(out, files("a.json"));
    expect(await listed(root)).toEqual(["v1", "v1/a.json"]);
  });

  test("or not at all: a failure leaves the old files and nothing beside them", async () => {
    const out = join(root, "v1");
    await mkdir(out);
    await writeFile(join(out, "a.json"), "old");
    await expect(replaceFolder(out, broken())).rejects.toThrow("half way");
    expect(await listed(root)).toEqual(["v1", "v1/a.json"]);
    expect(await readFile(join(out, "a.json"), "utf8")).toBe("old");
  });

  test("never with two files of one path", async () => {
    const twice = replaceFolder(join(root, "v1"), files("a.json", "a.json"));
    await expect(twice).rejects.toThrow("EEXIST");
  });
});
