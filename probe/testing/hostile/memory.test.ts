/** What hostile servers cost us: memory, and nothing that goes on after them. */
import { expect, test } from "vitest";
import { measure, type Name, NAMES } from "./measure.ts";

const MOST_MEGABYTES = 512;

/** Those that only wait cost seconds and no memory. */
const names = NAMES.filter((name) => name !== "a byte a second" && name !== "noise on standard error");

test("hostile servers of every kind, all at once, are recorded and judged in 512 MB", async () => {
  const all: readonly Name[] = [...names, ...names];
  const { outcomes, recorded, judged } = await measure(all);
  expect(recorded.megabytes).toBeGreaterThan(0);
  expect(judged.megabytes).toBeLessThan(MOST_MEGABYTES);
  expect(outcomes).toHaveLength(all.length);
  // Not one of them made a check of ours crash.
  expect(outcomes.filter((outcome) => outcome.includes("check-crashed"))).toEqual([]);
}, 40_000);
