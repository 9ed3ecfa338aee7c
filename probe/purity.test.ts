/**
 * The second lock on the pure half, after the compiler and the linter: it reads what is written
 * there, and once runs it where everything else is out of reach.
 */
import { execFile } from "node:child_process";
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import pure from "../tsconfig.pure.json" with { type: "json" };
import { checks } from "./checks/index.ts";
import { evaluate } from "./evaluate.ts";
import { facts } from "./facts/index.ts";
import { impurities } from "./testing/purity/impurities.ts";
import { httpTranscript, modernTranscript, stdioTranscript } from "./testing/transcripts.ts";

const root = join(import.meta.dirname, "..");

/** These find the files beside them, so they read a folder; what they find is pure. */
const DISCOVERY = ["probe/checks/index.ts", "probe/facts/index.ts", "methodology/index.ts"];

const sources: string[] = [];
for (const place of pure.include) {
  for await (const file of glob([place, `${place}/**/*.ts`], { cwd: root })) {
    if (file.endsWith(".ts") && !file.endsWith(".test.ts")) sources.push(file);
  }
}

describe("the pure half", () => {
  test("covers every pure folder", () => {
    const folders = ["probe/views/", "probe/checks/", "probe/facts/", "methodology/verdict/"];
    expect(
      folders.filter((folder) => !sources.some((source) => source.startsWith(folder))),
    ).toEqual([]);
  });

  test.each(sources.filter((source) => !DISCOVERY.includes(source)))("%s", async (source) => {
    expect(impurities(await readFile(join(root, source), "utf8"))).toEqual([]);
  });

  test("judges without network, programs, clock and chance, with the same result", async () => {
    const script = join(import.meta.dirname, "testing/purity/offline.ts");
    const { stdout } = await promisify(execFile)(process.execPath, [script]);
    const transcripts = [httpTranscript(), stdioTranscript(), modernTranscript()];
    expect(stdout).toBe(
      JSON.stringify(transcripts.map((transcript) => evaluate(transcript, { checks, facts }))),
    );
  }, 30_000);
});

describe("an impurity", () => {
  test.each([
    ["the clock", "const now = new Date();"],
    ["the clock without parentheses", "const now = new Date;"],
    ["the clock as text", "const now = Date();"],
    ["the clock as a number", "const now = Date.now();"],
    ["the clock as a function", "const clock = Date.now;"],
    ["chance", "const dice = Math.random();"],
    ["the network", 'const page = fetch("https://x.example");'],
    ["the process", "const home = process.env.HOME;"],
    ["the global object", 'const now = globalThis["Date"];'],
    ["the place of the file", "const here = import.meta.url;"],
    ["a module of Node", 'import fs from "node:fs";'],
    ["a module of a module of Node", 'export * from "node:fs/promises";'],
    ["a module that is loaded late", 'const fs = await import("node:fs");'],
    ["an HTTP client", 'import { request } from "undici";'],
  ])("is %s: %s", (_, source) => {
    expect(impurities(source)).toHaveLength(1);
  });

  test.each([
    ["a time that is given", 'const then = new Date("2026-11-30");'],
    ["a text that is read as a time", "const ms = Date.parse(text);"],
    ["a member of that name", "const state = server.process;"],
    ["a key of that name", "const state = { process: 1 };"],
    ["a name in a type", "interface State { fetch: number; process(): void }"],
    ["a comment", "// new Date() and process.env are closed here."],
  ])("is not %s: %s", (_, source) => {
    expect(impurities(source)).toEqual([]);
  });
});
