/** What must hold of the judging half for every record that anybody could make. */
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { verdicts } from "../../../methodology/index.ts";
import { assessAlone } from "../../../methodology/methodology.ts";
import { checks } from "../../checks/index.ts";
import { observe } from "../../evaluate.ts";
import { facts } from "../../facts/index.ts";
import { Observation } from "../../observation.ts";
import type { Transcript } from "../../transcript/schema.ts";
import { copyOf, notified, recut } from "./variants.ts";

/** Nothing is allowed to take this long, in milliseconds; a busy machine takes a hundredth of it. */
const HANG = 10_000;
/** How long a sentence may get, in characters, whatever a server sent. */
const SENTENCE = 2000;
/** How long an observation may get: sentences of our own, and what facts repeat of a server's. */
const MOST_SAID = 32 * 1024;
const MOST_SAID_FOR_A_BYTE = 6; // A byte can become \u0000 in JSON.

/** Judges a record and its variants; throws when something does not hold. */
export function expectSound(transcript: Transcript, seed: number): void {
  const started = performance.now();
  const observation = judge(transcript);
  expectProven(observation, transcript);
  expectStorable(observation);
  expectShort(observation, transcript);

  // The other pieces below show it of every record; the same pieces again of some will do.
  if (seed % 4 === 0) same(judge(copyOf(transcript)), observation, "judged twice");

  const { transcript: other, places } = recut(transcript, seed);
  same(placed(judge(other), places), observation, "cut into other pieces");

  const more = notified(transcript, seed);
  if (more) same(verdictsOf(judge(more)), verdictsOf(observation), "with a notification more");

  const took = performance.now() - started;
  must(took < HANG, () => `It took ${took} ms.`);
}

/** A fact that throws is an error here, not absent. */
function judge(transcript: Transcript): Observation {
  for (const fact of facts) {
    const value = fact.run(transcript);
    must(value === undefined || fact.show(value) !== "", () => `${fact.id} shows nothing`);
  }
  return observe([transcript], { checks, facts });
}

function expectProven({ checks: outcomes }: Observation, { events }: Transcript): void {
  must(
    new Set(outcomes.map(({ check }) => check)).size === checks.length,
    () => "a check is silent",
  );
  for (const { check, outcome, reason, because, evidence } of outcomes) {
    must(reason !== "check-crashed", () => `${check}: ${because}`);
    const proven = evidence.length > 0 || (outcome !== "passed" && outcome !== "failed");
    must(proven, () => `${check} ${outcome} without evidence`);
    must(new Set(evidence).size === evidence.length, () => `${check} names an event twice`);
    for (const ref of evidence) must(events[ref] !== undefined, () => `${check} points at ${ref}`);
    must(because.isWellFormed(), () => `${check} says what is no text: ${because}`);
    must(because.length < SENTENCE, () => `${check} says too much: ${because.slice(0, 500)}`);
  }
}

/** What JSON cannot say would be another value after it was stored. */
function expectStorable(observation: Observation): void {
  const stored: unknown = JSON.parse(JSON.stringify(observation));
  same(stored, observation, "stored");
  Observation.parse(stored);
}

/** What is said of a server is in proportion to what it sent. */
function expectShort(observation: Observation, { events }: Transcript): void {
  const read = events.reduce((sum, event) => sum + ("data" in event ? event.data.length : 0), 0);
  const said = JSON.stringify(observation).length;
  must(said < MOST_SAID + MOST_SAID_FOR_A_BYTE * read, () => `${said} characters on ${read} bytes`);
}

/** An observation whose evidence names places of the original record, each once. */
function placed(observation: Observation, places: readonly number[]): Observation {
  return {
    ...observation,
    checks: observation.checks.map((outcome) => ({
      ...outcome,
      evidence: [...new Set(outcome.evidence.map((ref) => places[ref]!))],
    })),
  };
}

const verdictsOf = (observation: Observation) =>
  verdicts.map((methodology) => assessAlone(methodology, observation).verdict);

/** The runner's own comparison is slow; it is asked only for the difference to show. */
function same(actual: unknown, expected: unknown, words: string): void {
  if (isDeepStrictEqual(actual, expected)) return;
  expect(actual, words).toStrictEqual(expected);
  throw new Error(`${words}: differs`);
}

function must(holds: boolean, words: () => string): void {
  if (!holds) throw new Error(words());
}
