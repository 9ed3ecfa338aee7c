/**
 * Real recordings of the embedded servers, and what was said of them. A difference means that an
 * outcome moved: if it should, run `npm run golden` and commit what changed together with the reason.
 * A check or a fact that no recording holds yet is not compared; `npm run golden` adds it.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checks } from "../checks/index.ts";
import { observe } from "../evaluate.ts";
import { facts } from "../facts/index.ts";
import { Observation } from "../observation.ts";
import { Transcript } from "../transcript/schema.ts";

const GOLDEN = join(import.meta.dirname, "golden");
const names = (await readdir(GOLDEN))
  .filter((file) => file.endsWith(".transcript.json"))
  .map((file) => file.replace(".transcript.json", ""));

const observations = await Promise.all(
  names.map(async (name) => Observation.parse(JSON.parse((await readGolden(name)).observation))),
);
const ids = new Set(
  observations.flatMap((each) => [
    ...each.checks.map(({ check }) => check),
    ...Object.keys(each.facts),
  ]),
);
const held = {
  checks: checks.filter(({ id }) => ids.has(id)),
  facts: facts.filter(({ id }) => ids.has(id)),
};

test("all wires and both eras are among the recordings", async () => {
  expect(names.some((name) => name.endsWith("-http"))).toBe(true);
  expect(names.some((name) => name.endsWith("-sse"))).toBe(true);
  expect(names.some((name) => name.endsWith("-stdio"))).toBe(true);
  const eras = await Promise.all(
    names
      .map(async (name) => (await readGolden(name)).transcript)
      .map(async (transcript) => {
        const fact = observe([await transcript], { checks, facts }).facts["era"];
        return JSON.stringify(fact);
      }),
  );
  expect(new Set(eras).size).toBe(2);
});

describe.each(names)("%s", (name) => {
  test("is judged as it was: if the change is meant, run npm run golden", async () => {
    const { transcript, observation } = await readGolden(name);
    const derived = observe([transcript], held);
    expect(`${JSON.stringify(derived, null, 2)}\n`).toBe(observation);
  });

  test("is judged the same twice, byte for byte", async () => {
    const [first, second] = [await readGolden(name), await readGolden(name)];
    const judge = ({ transcript }: typeof first) =>
      JSON.stringify(observe([transcript], { checks, facts }));
    expect(judge(first)).toBe(judge(second));
  });
});

async function readGolden(name: string) {
  const read = (kind: string) => readFile(join(GOLDEN, `${name}.${kind}.json`), "utf8");
  return {
    transcript: Transcript.parse(JSON.parse(await read("transcript"))),
    observation: await read("observation"),
  };
}
