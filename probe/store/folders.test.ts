import { mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { UsageError } from "../errors.ts";
import { makeFolder } from "./folders.ts";

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "probity-folders-"));
});
afterEach(() => rm(root, { recursive: true }));

test("a folder is made with all that lead to it, also by two at once and when it is there", async () => {
  const folder = join(root, "a/b/c");
  await Promise.all([makeFolder(folder), makeFolder(folder)]);
  await makeFolder(folder);
  expect(await readdir(join(root, "a/b"))).toEqual(["c"]);
});

test("a place where none can be made is an error that says so, and does not hang", async () => {
  await writeFile(join(root, "file"), "");
  await symlink(join(root, "nowhere"), join(root, "dangling"));
  for (const path of ["/proc/x", "/proc/x/y/z", join(root, "file/a/b"), join(root, "dangling")]) {
    await expect(makeFolder(path)).rejects.toThrow(UsageError);
    await expect(makeFolder(path)).rejects.toThrow(/cannot be made.* Name another place/);
  }
});
