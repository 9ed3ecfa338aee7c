/** What hostile servers cost us: memory, and nothing that goes on after them. */
import { expect, test } from "vitest";
import { measure, type Name, NAMES } from "./measure.ts";

/** What a run may take. It took 230 when this was written. */
const MOST_MEGABYTES = 512;

/** Those that only wait cost seconds and no memory. */
const WAITING: ReadonlySet<Name> = new Set(["a byte a second", "noise on standard error"]);

test("a hostile server of every kind, all at once, are recorded and judged in 512 MB", async () => {
  const names = NAMES.filter((name) => !WAITING.has(name));
  const { outcomes, recorded, judged } = await measure(names);
  // A process that did nothing would need as much.
  expect(recorded.megabytes).toBeGreaterThan(50);
  expect(judged.megabytes).toBeLessThan(MOST_MEGABYTES);
  expect(outcomes).toHaveLength(names.length);
  // Some are judged by what they did, and not one made a check of ours crash.
  expect(
    outcomes.filter((outcome) => /size-cap|probe-failed/.test(outcome)).length,
  ).toBeGreaterThan(5);
  expect(outcomes.filter((outcome) => outcome.includes("check-crashed"))).toEqual([]);
}, 120_000);
