import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checks } from "./index.ts";

const folder = import.meta.dirname;

describe.each(checks.map((check) => [check.id, check] as const))("%s", (id, check) => {
  test("has a test of its own that sees it pass and fail", async () => {
    const text = await readFile(join(folder, `${id}.test.ts`), "utf8");
    expect(text).toContain("passed");
    expect(text).toContain("failed");
  });

  test("says what it is, in whole sentences", () => {
    expect(check.title).toMatch(/^[A-Z].*[^.]$/);
    for (const text of [check.passesWhen, check.why, check.fix])
      expect(text).toMatch(/^[A-Z].+\.$/);
  });
});

test("every file of the folder is a check, its test, or how they are found", async () => {
  const known = new Set(["README.md", "index.ts", "index.test.ts"]);
  for (const { id } of checks) known.add(`${id}.ts`).add(`${id}.test.ts`);
  expect((await readdir(folder)).filter((file) => !known.has(file))).toEqual([]);
});
