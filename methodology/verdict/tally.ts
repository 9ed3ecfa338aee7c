/** How the checks of a methodology came out in one observation. */
import type { Outcome } from "../../probe/check.ts";
import type { CheckOutcome, Observation } from "../../probe/observation.ts";
import type { VerdictAssessment } from "./assessment.ts";

export type Tally = Pick<VerdictAssessment, "passed" | "assessed" | "total" | "failed">;

/** Counts the listed checks; those that no list names count for nothing. */
export function tally(observation: Observation, checks: readonly string[]): Tally {
  const having = (outcome: Outcome) =>
    checks.filter((check) => outcomeOf(observation, check)?.outcome === outcome);
  const passed = having("passed").length;
  const failed = having("failed");
  return { passed, assessed: passed + failed.length, total: checks.length, failed };
}

/** Nothing is held against a server that could not be judged. */
export function withoutFailures(counts: Tally): Tally {
  return { ...counts, assessed: counts.passed, failed: [] };
}

/** The first of these that a check got decides, where it speaks once per tool. */
const DECIDING: readonly Outcome[] = ["failed", "passed", "cantTell", "untested", "inapplicable"];

/** How one check came out; undefined when the observation does not mention it. */
export function outcomeOf({ checks }: Observation, check: string): CheckOutcome | undefined {
  const own = checks.filter((outcome) => outcome.check === check);
  for (const outcome of DECIDING) {
    const found = own.find((candidate) => candidate.outcome === outcome);
    if (found) return found;
  }
  return undefined;
}
