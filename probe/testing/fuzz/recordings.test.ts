/** Real recordings of the embedded servers, with what a network or a tamperer makes of them. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Transcript } from "../../transcript/schema.ts";
import { mutate, mutation } from "./mutations.ts";
import { recordings } from "./golden.ts";
import { fuzz, seed } from "./run.ts";

const changed = fc
  .tuple(
    fc.constantFrom(...recordings),
    fc.constantFrom<Transcript["kind"]>("full", "full", "full", "liveness", "rerun"),
    fc.array(mutation, { minLength: 1, maxLength: 5 }),
  )
  .map(([recording, kind, mutations]) => mutate({ ...recording, kind }, mutations));

test("a changed record still fits its schema, and mostly differs from the original", () => {
  const samples = fc.sample(changed, { numRuns: 200, seed });
  for (const sample of samples) expect(Transcript.encode(sample)).toBeDefined();
  const sizes = new Set(samples.map((sample) => JSON.stringify(Transcript.encode(sample))));
  expect(sizes.size).toBeGreaterThan(150);
});

test(`changed recordings are judged soundly (PROBITY_FUZZ_SEED=${seed})`, () => {
  return fuzz("recordings", changed);
}, 300_000);
