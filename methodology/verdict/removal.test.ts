/**
 * Taking evidence away must never make a verdict better, whatever the observation says.
 *
 * One thing is left out on purpose: a failed check of L2. L2 counts where it ran, and a server
 * without a call that is safe to make has no L2 at all.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Attempt, CheckOutcome, Observation } from "../../probe/observation.ts";
import { verdicts } from "../index.ts";
import { observation } from "../testing/observations.ts";

const OUTCOMES = ["passed", "failed", "inapplicable", "untested", "cantTell"] as const;
const REASONS = [
  "era-modern",
  "auth-required",
  "auth-required-by-words",
  "refused",
  "control-failed",
  "timeout",
  "not-asked",
  "validator-budget",
];
const CHECKS = [
  ...observation().checks.map(({ check }) => check),
  "L2.call_ok",
  "L2.bad_input",
  "L1.unlisted",
];

const reason = fc.option(fc.constantFrom(...REASONS), { nil: undefined });
// Mostly passed, so that many observations are alive or one step away from it.
const outcome = fc.oneof(
  { weight: 6, arbitrary: fc.constant("passed" as const) },
  { weight: 1, arbitrary: fc.constantFrom(...OUTCOMES) },
);

const checks: fc.Arbitrary<CheckOutcome[]> = fc
  .tuple(...CHECKS.map((check) => fc.record({ check: fc.constant(check), outcome, reason })))
  .map((rows) => rows.map((row) => ({ ...withoutUndefined(row), because: "", evidence: [] })));

const attempts: fc.Arbitrary<Attempt[]> = fc
  .array(
    fc.record({
      stop: fc.option(
        fc.record({ outcome: fc.constantFrom("failed", "failed", "untested", "cantTell"), reason }),
      ),
      control: fc.constantFrom("passed", "passed", "failed", "not-measured"),
      gap: fc.constantFrom(1, 60),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((tries) =>
    tries.map(
      ({ stop, control, gap }, index) =>
        ({
          ...observation().attempts[0]!,
          attempt: index + 1,
          startedAt: new Date(Date.UTC(2026, 10, 30) + index * gap * 1000).toISOString(),
          stoppedBy: stop ? { check: "L0.initialize", ...withoutUndefined(stop) } : null,
          control,
        }) as Attempt,
    ),
  );

const observations: fc.Arbitrary<Observation> = fc
  .record({ kind: fc.constantFrom("full", "liveness", "rerun"), attempts, checks })
  .map((parts) => {
    const passing = parts.attempts.find(({ stoppedBy }) => stoppedBy === null);
    const judged = passing?.attempt ?? parts.attempts.length;
    return { ...observation(), ...parts, judged } as Observation;
  });

/** Each takes some evidence out of an observation; `pick` says which. */
const removals: readonly ((from: Observation, pick: number) => Observation)[] = [
  function dropCheck(from, pick) {
    return { ...from, checks: from.checks.filter((_, index) => index !== removable(from, pick)) };
  },
  function dropOutcome(from, pick) {
    return replaced(from, pick, { outcome: "untested", reason: "not-asked" });
  },
  function crashCheck(from, pick) {
    return replaced(from, pick, { outcome: "cantTell", reason: "check-crashed" });
  },
  function gateCheck(from, pick) {
    return replaced(from, pick, { outcome: "untested", reason: "auth-required" });
  },
  function dropAttempt(from, pick) {
    if (from.attempts.length === 1) return from;
    const dropped = pick % from.attempts.length;
    return { ...from, attempts: from.attempts.filter((_, index) => index !== dropped) };
  },
  function dropControl(from) {
    const attempts = from.attempts.map((attempt) => ({
      ...attempt,
      control: "not-measured" as const,
    }));
    return { ...from, attempts };
  },
  function dropFacts(from) {
    return { ...from, facts: {} };
  },
];

describe.each(verdicts)("$id", (methodology) => {
  const verdictOf = (made: Observation) => {
    const history = [{ run: "run", endedAt: "2026-12-01T00:00:00.000Z", observation: made }];
    return methodology.assess({ history, asOf: "2026-12-01T00:00:00.000Z" }).verdict;
  };

  test.each(removals.map((remove) => [remove.name, remove] as const))(
    "%s never makes a server alive",
    (_, remove) => {
      fc.assert(
        fc.property(observations, fc.nat(), (before, pick) => {
          fc.pre(verdictOf(before) !== "alive");
          expect(verdictOf(remove(before, pick))).not.toBe("alive");
        }),
        { seed: 1, numRuns: 500 },
      );
    },
  );

  test("the observations tried are of every kind", () => {
    const seen = new Set(fc.sample(observations, { seed: 1, numRuns: 5000 }).map(verdictOf));
    expect(seen).toEqual(new Set(["alive", "degraded", "dead", "unverifiable", null]));
  });
});

function removable({ checks: all }: Observation, pick: number): number {
  const candidates = all.flatMap(({ check, outcome: came }, index) =>
    check.startsWith("L2.") && came === "failed" ? [] : [index],
  );
  return candidates[pick % candidates.length]!;
}

function replaced(
  from: Observation,
  pick: number,
  by: Pick<CheckOutcome, "outcome" | "reason">,
): Observation {
  const chosen = removable(from, pick);
  return {
    ...from,
    checks: from.checks.map((row, index) => (index === chosen ? { ...row, ...by } : row)),
  };
}

function withoutUndefined<T extends { reason?: string | undefined }>({ reason: code, ...rest }: T) {
  return code === undefined ? rest : { ...rest, reason: code };
}
