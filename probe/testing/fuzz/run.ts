/** Runs one property over generated records, says how to repeat it, and counts what really ran. */
import fc from "fast-check";
import { expect } from "vitest";
import type { Transcript } from "../../transcript/schema.ts";
import { expectSound } from "./properties.ts";

/** How many records each kind gets. Each is judged up to four times; a variant counts as none. */
export const RUNS = { recordings: 4000, events: 5000, documents: 6000, noise: 5500 } as const;

/** In CI the same records every time, so that a change is not blamed for another's luck. */
const CI_SEED = 20_261_201;

const { PROBITY_FUZZ_SEED, PROBITY_FUZZ_PATH, PROBITY_FUZZ_TIMES = "1" } = process.env;
const CI = process.env["CI"] !== undefined;

export const seed = PROBITY_FUZZ_SEED
  ? Number(PROBITY_FUZZ_SEED)
  : CI
    ? CI_SEED
    : Math.floor(Date.now() / 1000);

/** Judges `RUNS[kind]` records; what does not hold is shown with the seed and path that repeat it. */
export function fuzz(kind: keyof typeof RUNS, records: fc.Arbitrary<Transcript>): void {
  const numRuns = RUNS[kind] * Number(PROBITY_FUZZ_TIMES);
  let judged = 0;
  const result = fc.check(
    fc.property(records, fc.nat(), (transcript, cuts) => {
      judged += 1;
      expectSound(transcript, cuts);
    }),
    // Making a failure small takes long: that is left to whoever repeats it.
    PROBITY_FUZZ_PATH === undefined
      ? { numRuns, seed, endOnFailure: true }
      : { numRuns: 1, seed, path: PROBITY_FUZZ_PATH },
  );
  if (result.failed) {
    const repeat = `PROBITY_FUZZ_SEED=${result.seed} PROBITY_FUZZ_PATH=${result.counterexamplePath}`;
    throw new Error(`${kind}: repeat with ${repeat}\n${fc.defaultReportMessage(result)}`, {
      cause: result.errorInstance,
    });
  }
  if (PROBITY_FUZZ_PATH === undefined) expect(judged).toBe(numRuns);
}
