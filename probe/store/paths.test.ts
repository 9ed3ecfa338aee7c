import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { UsageError } from "../errors.ts";
import { dataFolder, newDataFolder } from "./paths.ts";

let root = "";
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "probity-paths-")));
  for (const name of ["real/runs", "demo/listings", "empty", "other"]) {
    await mkdir(join(root, name), { recursive: true });
  }
  await writeFile(join(root, "other/notes.txt"), "mine");
  await symlink(join(root, "real"), join(root, "link"));
  await symlink(join(root, "real/new"), join(root, "dangling"));
});
afterEach(() => rm(root, { recursive: true }));

const start = (path: string) => newDataFolder(join(root, path), join(root, "real"));

describe("a data folder", () => {
  test.each(["real", "demo", "link"])("may be read when it holds runs or listings: %s", (path) => {
    expect(dataFolder(join(root, path))).toBe(join(root, path));
  });

  test.each(["empty", "other", "other/notes.txt", "nowhere", "other/notes.txt/below"])(
    "is not whatever was named: %s",
    (path) => {
      expect(() => dataFolder(join(root, path))).toThrow(UsageError);
      expect(() => dataFolder(join(root, path))).toThrow(/neither listings\/ nor runs\//);
    },
  );
});

describe("a folder that a demo adds to", () => {
  test.each(["demo", "empty", "nowhere", "nowhere/at/all", "realistic"])(
    "may hold data, be empty or be absent: %s",
    (path) => {
      expect(start(path)).toBe(join(root, path));
    },
  );

  test.each([
    "real",
    "real/.",
    "demo/../real",
    "link",
    "real/runs",
    "real/new",
    "real/new/er",
    "real/..new",
    "link/new",
    "link/new/er",
  ])("is never the one of real runs, nor below it: %s", (path) => {
    expect(() => start(path)).toThrow(UsageError);
    expect(() => start(path)).toThrow("does not belong there");
  });

  test.each(["other", "other/notes.txt", ""])("is not a folder of something else: %s", (path) => {
    expect(() => start(path)).toThrow(UsageError);
    expect(() => start(path)).toThrow("is no data folder");
  });
});
