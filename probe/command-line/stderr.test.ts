import { expect, test } from "vitest";
import { bytesOf } from "../transcript/body.ts";
import { stdioTranscript } from "../testing/transcripts.ts";
import type { Transcript } from "../transcript/schema.ts";
import { concernsStderr, stderrOf } from "./stderr.ts";

type Event = Transcript["events"][number];

/** A transcript whose processes said these pieces on standard error. */
function saying(...processes: readonly (readonly Uint8Array<ArrayBuffer>[])[]): Transcript {
  const events = processes.flatMap((pieces): Event[] => [
    { type: "spawned", at: 0, argv: ["server"], environment: [] },
    ...pieces.map((data): Event => ({ type: "received", at: 1, channel: "stderr", data })),
  ]);
  return { ...stdioTranscript(), events };
}

const bytes = bytesOf;

test("all that a process said is shown, also a character in two pieces", () => {
  const [first, second] = [bytes("one\ntwö").subarray(0, 7), bytes("ö").subarray(1)];
  expect(stderrOf(saying([first, second, bytes("\n\nthree\n")]))).toEqual(["one", "twö", "three"]);
});

test("what a second process said again is shown once", () => {
  expect(stderrOf(saying([bytes("a\n")], [bytes("a\n")], [bytes("b\n")]))).toEqual(["a", "b"]);
});

test("of very much the end is shown, and how much is left out", () => {
  const lines = Array.from({ length: 100 }, (_, index) => `${index}`).join("\n");
  const shown = stderrOf(saying([bytes(lines)]));
  expect(shown).toHaveLength(41);
  expect([shown[0], shown.at(-1)]).toEqual(["… 60 more before", "99"]);
  expect(stderrOf(saying([bytes("x".repeat(10_000))]))[0]).toHaveLength(302);
});

test("it explains what did not open and what rests on it, and nothing that passed", () => {
  const transcript = saying([bytes("a")]);
  const outcome = (check: string, evidence: number[], failed = true) =>
    concernsStderr(
      { check, outcome: failed ? "failed" : "passed", because: "", evidence },
      transcript,
    );
  expect(outcome("L0.initialize", [])).toBe(true);
  expect(outcome("L1.envelope", [1])).toBe(true);
  expect(outcome("L1.envelope", [0])).toBe(false);
  expect(outcome("L0.initialize", [1], false)).toBe(false);
});
