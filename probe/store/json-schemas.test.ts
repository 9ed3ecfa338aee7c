import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { z } from "zod";
import { httpTranscript } from "../testing/transcripts.ts";
import { Transcript } from "../transcript/schema.ts";
import { schemaFiles } from "./json-schemas.ts";

const FOLDER = join(import.meta.dirname, "../../data/schema");

test.each(schemaFiles().map(({ name, text }) => [name, text]))(
  "data/schema/%s is what the code checks: if not, run npm run schemas",
  async (name, text) => {
    expect(await readFile(join(FOLDER, name), "utf8")).toBe(text);
  },
);

test("data/schema holds nothing else", async () => {
  const known = new Set(schemaFiles().map(({ name }) => name));
  expect((await readdir(FOLDER)).filter((file) => !known.has(file))).toEqual([]);
});

test("another validator agrees about a transcript, in both directions", () => {
  const { text } = schemaFiles().find(({ name }) => name === "transcript.schema.json")!;
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(JSON.parse(text));
  const json: unknown = JSON.parse(JSON.stringify(z.encode(Transcript, httpTranscript())));
  expect(validate(json)).toBe(true);
  expect(validate({ ...(json as object), attempt: 0 })).toBe(false);
});
