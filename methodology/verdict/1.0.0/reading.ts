/**
 * How version 1.0.0 reads an observation.
 *
 * Observations are stored as 1.1.0 reads them. This version takes the rules by the letter: `initialize`
 * returns a result or has failed, only 401 and 407 ask for credentials, and a call that is answered
 * with an error of JSON-RPC has failed.
 */
import type { Attempt, CheckOutcome, Observation } from "../../../probe/observation.ts";

/** Reasons on L0 checks that this version reads as failures; its README says what each means. */
export const READ_AS_FAILURES: ReadonlySet<string | undefined> = new Set([
  "era-modern",
  "auth-required-by-words",
  "payment-required",
  "refused",
  "rate-limited",
  "newer-protocol",
]);

/** Reasons on `L2.call_ok` that this version reads as failures: errors of JSON-RPC other than -32602. */
export const READ_AS_FAILED_CALLS: ReadonlySet<string | undefined> = new Set([
  "payment-required-by-code",
]);

/** The observation with the table applied; `checks` in the order in which they are asked. */
export function readAsFailures(observation: Observation, checks: readonly string[]): Observation {
  const failing = firstRead(observation, checks);
  const attempts = observation.attempts.map((attempt) => readAttempt(attempt, failing));
  if (!failing) return { ...observation, attempts, checks: observation.checks.map(readCall) };
  // What comes after a failed opening has no meaning, whatever was answered to another method.
  const unreached = new Set(checks.slice(checks.indexOf(failing.check) + 1));
  const outcomes = observation.checks.map((outcome): CheckOutcome => {
    if (outcome === failing) return { ...outcome, outcome: "failed" };
    if (!unreached.has(outcome.check)) return outcome;
    return { ...outcome, outcome: "untested", reason: "not-reached" };
  });
  return { ...observation, attempts, checks: outcomes };
}

function readCall(outcome: CheckOutcome): CheckOutcome {
  const fails = outcome.check === "L2.call_ok" && READ_AS_FAILED_CALLS.has(outcome.reason);
  return fails ? { ...outcome, outcome: "failed" } : outcome;
}

function firstRead(observation: Observation, checks: readonly string[]): CheckOutcome | undefined {
  return observation.checks
    .filter(({ check, reason }) => check.startsWith("L0.") && READ_AS_FAILURES.has(reason))
    .toSorted((a, b) => checks.indexOf(a.check) - checks.indexOf(b.check))
    .at(0);
}

function readAttempt(attempt: Attempt, failing: CheckOutcome | undefined): Attempt {
  const { stoppedBy } = attempt;
  if (stoppedBy) {
    if (!READ_AS_FAILURES.has(stoppedBy.reason)) return attempt;
    return { ...attempt, stoppedBy: { ...stoppedBy, outcome: "failed" } };
  }
  // An attempt that passed L0 is not described further; it passed as the judged one did.
  if (failing?.outcome !== "passed") return attempt;
  const { check, reason } = failing;
  return { ...attempt, stoppedBy: { check, outcome: "failed", ...(reason && { reason }) } };
}
