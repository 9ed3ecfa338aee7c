import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { UsageError } from "../../probe/errors.ts";
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
/** What tells a published API from any other folder. */
const MARKS = {
  "servers.json": '{"asOf":null,"servers":[]}',
  "stats.json": '{"asOf":null,"listings":0,"verdicts":{},"runs":0}',
};
async function folderWith(path: string, contents: Readonly<Record<string, string>>) {
  await mkdir(path, { recursive: true });
  for (const [name, text] of Object.entries(contents)) await writeFile(join(path, name), text);
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
    await folderWith(out, { ...MARKS, "gone.json": "old" });
    await replaceFolder(out, files("a.json"));
    expect(await listed(root)).toEqual(["v1", "v1/a.json"]);
  });

  test("or not at all: a failure leaves the old files and nothing beside them", async () => {
    const out = join(root, "v1");
    await folderWith(out, { ...MARKS, "a.json": "old" });
    const before = await listed(root);
    await expect(replaceFolder(out, broken())).rejects.toThrow("half way");
    expect(await listed(root)).toEqual(before);
    expect(await readFile(join(out, "a.json"), "utf8")).toBe("old");
  });

  test("when it is empty", async () => {
    const out = join(root, "v1");
    await mkdir(out);
    await replaceFolder(out, files("a.json"));
    expect(await listed(root)).toEqual(["v1", "v1/a.json"]);
  });

  test("behind a link, which stays a link", async () => {
    const [out, link] = [join(root, "v1"), join(root, "link")];
    await folderWith(out, MARKS);
    await symlink(out, link);
    await replaceFolder(link, files("a.json"));
    expect(await listed(root)).toEqual(["link", "link/a.json", "v1", "v1/a.json"]);
  });

  test("never with two files of one path", async () => {
    const twice = replaceFolder(join(root, "v1"), files("a.json", "a.json"));
    await expect(twice).rejects.toThrow("EEXIST");
  });
});

describe("nothing else is ever replaced:", () => {
  test.each([
    ["a folder of other files", { "index.html": "mine" }],
    ["a folder with but one of our files", { "stats.json": MARKS["stats.json"] }],
    ["a folder whose files have our names alone", { "servers.json": "[]", "stats.json": "{}" }],
    ["a folder whose files are no JSON", { "servers.json": "mine", "stats.json": "mine" }],
    ["an API that somebody keeps hidden files in", { ...MARKS, ".gitignore": "*" }],
  ])("%s", async (_, contents) => {
    const out = join(root, "v1");
    await folderWith(out, contents);
    const before = await listed(root);
    await expect(replaceFolder(out, files("a.json"))).rejects.toThrow(UsageError);
    await expect(replaceFolder(out, files("a.json"))).rejects.toThrow("is not a published API");
    expect(await listed(root)).toEqual(before);
  });

  test("a file", async () => {
    const out = join(root, "README.md");
    await writeFile(out, "mine");
    await expect(replaceFolder(out, files("a.json"))).rejects.toThrow("is not a published API");
    expect(await readFile(out, "utf8")).toBe("mine");
  });

  test("a folder behind a link", async () => {
    const link = join(root, "link");
    await folderWith(join(root, "pages"), { "index.html": "mine" });
    await symlink(join(root, "pages"), link);
    await expect(replaceFolder(link, files("a.json"))).rejects.toThrow("is not a published API");
    expect(await listed(join(root, "pages"))).toEqual(["index.html"]);
  });

  test("a link that leads nowhere", async () => {
    const link = join(root, "link");
    await symlink(join(root, "nowhere"), link);
    await expect(replaceFolder(link, files("a.json"))).rejects.toThrow("is not a published API");
    expect(await listed(root)).toEqual(["link"]);
  });

  test("what came while the files were written", async () => {
    const out = join(root, "v1");
    async function* slow(): AsyncIterable<ApiFile> {
      yield { path: "a.json", bytes: bytesOf("new") };
      await folderWith(out, { "index.html": "mine" });
    }
    await expect(replaceFolder(out, slow())).rejects.toThrow("is not a published API");
    expect(await listed(root)).toEqual(["v1", "v1/index.html"]);
  });
});

test("a place that cannot hold a folder is refused at once", async () => {
  await writeFile(join(root, "file"), "");
  const below = (path: string) => expect(replaceFolder(path, files("a.json"))).rejects;
  await below(join(root, "file/api/v1")).toThrow(/file is not a folder/);
  await below("/proc/api/v1").toThrow("/proc/api cannot be made");
});
