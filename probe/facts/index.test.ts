import { access, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Transcript } from "../transcript/schema.ts";
import { facts } from "./index.ts";

const folder = import.meta.dirname;
const GOLDEN = join(folder, "../testing/golden");

const golden = await Promise.all(
  (await readdir(GOLDEN))
    .filter((file) => file.endsWith(".transcript.json"))
    .map(async (file) => Transcript.parse(JSON.parse(await readFile(join(GOLDEN, file), "utf8")))),
);

describe.each(facts.map((fact) => [fact.id, fact] as const))("%s", (id, fact) => {
  test("has a test of its own and says what it is", async () => {
    await access(join(folder, `${id}.test.ts`));
    expect(fact.title).toMatch(/^[A-Z].*[^.]$/);
    expect(fact.describes).toMatch(/^[A-Z].+\.$/);
  });

  test("can be shown wherever a real server has it", () => {
    for (const transcript of golden) {
      const value = fact.run(transcript);
      if (value !== undefined) expect(fact.show(value)).toMatch(/\S/);
    }
  });
});

test("every file of the folder is a fact, its test, or how they are found", async () => {
  const known = new Set(["README.md", "index.ts", "index.test.ts"]);
  for (const { id } of facts) known.add(`${id}.ts`).add(`${id}.test.ts`);
  expect((await readdir(folder)).filter((file) => !known.has(file))).toEqual([]);
});
