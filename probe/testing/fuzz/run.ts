/** Runs one property over generated records, says how to repeat it, and counts what really ran. */
import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
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

/** What may be left in memory, in bytes, after thousands of records. */
const MOST_KEPT = 64 * 1024 * 1024;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

async function memoryInUse(): Promise<number> {
  // What one turn of the event loop let go of can be collected in the next, and what hung on that in
  // the one after.
  for (let turns = 0; turns < 3; turns += 1) {
    await turn();
    collectGarbage();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Judges `RUNS[kind]` records and all that must hold of them. */
export async function fuzz(
  kind: keyof typeof RUNS,
  records: fc.Arbitrary<Transcript>,
): Promise<void> {
  const before = await memoryInUse();
  const property = ([transcript, cuts]: [Transcript, number]) => expectSound(transcript, cuts);
  repeatable(kind, RUNS[kind], fc.tuple(records, fc.nat()), property);
  expect((await memoryInUse()) - before, "bytes kept").toBeLessThan(MOST_KEPT);
}

/** Tries that many values; one that fails is shown with the seed and path that repeat it. */
export function repeatable<T>(
  name: string,
  runs: number,
  values: fc.Arbitrary<T>,
  property: (value: T) => void,
): void {
  const numRuns = runs * Number(PROBITY_FUZZ_TIMES);
  let tried = 0;
  const result = fc.check(
    fc.property(values, (value) => {
      tried += 1;
      property(value);
    }),
    // Making a failure small takes long: that is left to whoever repeats it.
    PROBITY_FUZZ_PATH === undefined
      ? { numRuns, seed, endOnFailure: true }
      : { numRuns: 1, seed, path: PROBITY_FUZZ_PATH },
  );
  if (result.failed) {
    const repeat = `PROBITY_FUZZ_SEED=${result.seed} PROBITY_FUZZ_PATH=${result.counterexamplePath}`;
    throw new Error(`${name}: repeat with ${repeat}\n${fc.defaultReportMessage(result)}`, {
      cause: result.errorInstance,
    });
  }
  if (PROBITY_FUZZ_PATH === undefined) expect(tried).toBe(numRuns);
}
