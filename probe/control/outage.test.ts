import { describe, expect, test } from "vitest";
import { checks } from "../checks/index.ts";
import { observe } from "../evaluate.ts";
import { httpTranscript, remoteTarget, stdioTranscript } from "../testing/transcripts.ts";
import type { Transcript } from "../transcript/schema.ts";
import { Control, holds } from "./control.ts";
import { outageIn } from "./outage.ts";

const DOWN = httpTranscript({ answers: { initialize: { raw: "", status: 502 } } });
const GATED = httpTranscript({ answers: { initialize: { raw: "", status: 401 } } });

const at = (transcript: Transcript, url: string): readonly Transcript[] => [
  { ...transcript, target: remoteTarget(url), listing: url },
];
const many = (count: number, transcript: Transcript, host: string) =>
  Array.from({ length: count }, (_, index) =>
    at(transcript, `https://${host}-${index}.example/mcp`),
  );

const seen = (attempts: readonly (readonly Transcript[])[]) =>
  attempts.map((each) => observe(each, { checks, facts: [] }));

/** The outage of a shard in which all targets, or those that are named, had passed before. */
function outage(
  attempts: readonly (readonly Transcript[])[],
  passed = (key: string) => !key.includes("new"),
) {
  const keys = attempts.map(([first]) => first!.target.key).filter(passed);
  return outageIn(attempts, seen(attempts), async () => new Set(keys));
}

describe("a shard", () => {
  type Shard = readonly (readonly Transcript[])[];
  test.each<[string, Shard, boolean]>([
    [
      "in which most of 20 fail is our outage",
      [...many(11, DOWN, "a"), ...many(9, httpTranscript(), "b")],
      true,
    ],
    [
      "in which half of 20 fail is not",
      [...many(10, DOWN, "a"), ...many(10, httpTranscript(), "b")],
      false,
    ],
    ["in which 19 of 19 fail proves too little", many(19, DOWN, "a"), false],
    [
      "in which those fail that never passed is none",
      [...many(30, DOWN, "new"), ...many(20, httpTranscript(), "b")],
      false,
    ],
    ["in which all ask for a login is none", many(30, GATED, "a"), false],
    [
      "on this machine is none",
      Array.from({ length: 30 }, (_, index) => at(DOWN, `http://127.0.0.1:${index + 1}/mcp`)),
      false,
    ],
    [
      "of programs is none",
      Array.from({ length: 30 }, (_, index) => [
        {
          ...stdioTranscript({ answers: { initialize: { exited: 1 } } }),
          listing: `a.fixture/${index}`,
        },
      ]),
      false,
    ],
  ])("%s", async (_, attempts, found) => {
    const control = await outage(attempts);
    expect(control !== undefined).toBe(found);
  });

  test("has its outage stored with every server that speaks for it", async () => {
    const attempts = [
      ...many(11, DOWN, "a"),
      ...many(9, httpTranscript(), "b"),
      ...many(3, DOWN, "new"),
    ];
    const control = Control.parse(await outage(attempts));
    expect(control).toMatchObject({ capability: "remotes", needed: 10 });
    expect(control.endpoints).toHaveLength(20);
    expect(holds(control)).toBe(false);
    // Also the server that nothing was known of could not be judged.
    const [stranger] = attempts.at(-1)!;
    const observation = observe([stranger!], { checks, facts: [], control: [control] });
    expect(observation.attempts[0]).toMatchObject({ control: "failed", lost: "remotes" });
  });

  test("that stands is not looked up in the data", async () => {
    const attempts = many(30, httpTranscript(), "a");
    const found = await outageIn(attempts, seen(attempts), () => {
      throw new Error("was looked up");
    });
    expect(found).toBeUndefined();
  });
});
