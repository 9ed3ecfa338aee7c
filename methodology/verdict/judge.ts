/** The verdict that one observation gives, whatever came before it. */
import type { CheckOutcome, Observation } from "../../probe/observation.ts";
import type { VerdictAssessment } from "./assessment.ts";
import { type LevelZero, levelZero } from "./level-zero.ts";
import { isOurs, reasonOf, reasons } from "./reasons.ts";
import * as sentences from "./sentences.ts";
import { outcomeOf, type Tally, tally, withoutFailures } from "./tally.ts";

/** `verdict` is null when the observation gives none, so that an earlier one stands. */
export type Judgement = Tally & Word;
type Word = Pick<VerdictAssessment, "verdict" | "reason" | "because">;

export function judge(observation: Observation, checks: readonly string[]): Judgement {
  const counts = tally(observation, checks);
  const said = word(observation, checks, counts);
  const blameless = said.verdict === "unverifiable" || isOurs(said.reason);
  return { ...said, ...(blameless ? withoutFailures(counts) : counts) };
}

function word(observation: Observation, checks: readonly string[], counts: Tally): Word {
  const opening = levelZero(observation);
  switch (opening.result) {
    case "passed":
      return opened(observation, checks, counts, opening);
    case "stopped":
      return unverifiable(observation, opening.reason, sentences.stopped(opening));
    case "failed":
      return failed(opening, observation.attempts.length);
  }
}

function failed({ last, doubt }: Extract<LevelZero, { result: "failed" }>, attempts: number): Word {
  if (doubt !== null) return none(doubt, sentences.doubtful(doubt, attempts));
  const reason = last.stoppedBy?.reason ?? null;
  return { verdict: "dead", reason, because: sentences.dead(last, attempts) };
}

function opened(
  observation: Observation,
  checks: readonly string[],
  counts: Tally,
  { judged }: Extract<LevelZero, { result: "passed" }>,
): Word {
  if (observation.kind === "liveness" && !wentOn(observation, checks)) {
    return none("opening-only", sentences.openingOnly(counts));
  }
  const open = unsettled(observation, checks);
  const anyFailed = counts.failed.length > 0;
  // What failed or is missing may be our network's doing; what passed cannot be.
  if (judged.control === "failed" && (anyFailed || open)) {
    const because = sentences.stoppedLater("control-failed", "", withoutFailures(counts));
    return unverifiable(observation, "control-failed", because);
  }
  if (anyFailed) return { verdict: "degraded", reason: null, because: sentences.degraded(counts) };
  if (!open) return { verdict: "alive", reason: null, because: sentences.alive(counts) };
  if (!open.outcome) return none("checks-missing", sentences.missing(open.check, counts));
  const reason = reasonOf(open.outcome);
  return unverifiable(observation, reason, sentences.stoppedLater(reason, open.check, counts));
}

const none = (reason: string, because: string): Word => ({ verdict: null, reason, because });

function unverifiable({ kind }: Observation, reason: string, because: string): Word {
  // A liveness run in which we failed says less than the verdict that it would replace.
  if (kind === "liveness" && isOurs(reason)) return none(reason, because);
  return { verdict: "unverifiable", reason, because };
}

/** Untested and no obstacle: optional in the modern era, or too costly to read. */
const EXCUSED: ReadonlySet<string | undefined> = new Set([
  "server-info-absent",
  "validator-budget",
]);

/** The first check of L0 or L1 that applies and neither passed, failed nor was excused. */
function unsettled(
  observation: Observation,
  checks: readonly string[],
): { readonly check: string; readonly outcome: CheckOutcome | undefined } | undefined {
  for (const check of checks) {
    // What L2 did not run says nothing: not every server has a call that is safe to make.
    if (check.startsWith("L2.")) continue;
    const outcome = outcomeOf(observation, check);
    const excused = outcome?.outcome === "untested" && EXCUSED.has(outcome.reason);
    const settled = outcome && outcome.outcome !== "untested" && outcome.outcome !== "cantTell";
    if (!settled && !excused) return { check, outcome };
  }
  return undefined;
}

/** Checks of L1 that the opening alone can settle; the others ask the server something more. */
const SETTLED_BY_OPENING: ReadonlySet<string> = new Set(["L1.server_info", "L1.envelope"]);

/** Whether a liveness run went on to the full battery. */
function wentOn(observation: Observation, checks: readonly string[]): boolean {
  return checks.some((check) => {
    if (!check.startsWith("L1.") || SETTLED_BY_OPENING.has(check)) return false;
    const outcome = outcomeOf(observation, check);
    switch (outcome?.outcome) {
      case "passed":
      case "failed":
        return true;
      case "untested":
      case "cantTell":
        return reasons.has(reasonOf(outcome));
      case "inapplicable":
      case undefined:
        return false;
    }
  });
}
