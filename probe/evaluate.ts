/** From transcripts to an observation. Pure: everything it says can be derived again by anybody. */
import { cantTell, type Check, type CheckResult, untested } from "./check.ts";
import type { Fact } from "./fact.ts";
import type { Attempt, CheckOutcome, Observation } from "./observation.ts";
import type { Transcript } from "./transcript/schema.ts";

export interface Judges {
  /** In asking order: each one after those that it needs. */
  readonly checks: readonly Check[];
  readonly facts: readonly Fact[];
}

export interface Evaluation {
  readonly checks: CheckOutcome[];
  readonly facts: Observation["facts"];
}

/** The outcome of every check and the value of every fact, for one transcript. */
export function evaluate(transcript: Transcript, { checks, facts }: Judges): Evaluation {
  const outcomes: CheckOutcome[] = [];
  for (const check of checks) {
    const blocked = blockedBy(check, outcomes);
    const results = blocked ?? runCheck(check, transcript);
    outcomes.push(...results.map((result) => stored(check, result)));
  }
  return { checks: outcomes, facts: Object.fromEntries(readFacts(facts, transcript)) };
}

/** Everything one run knows of one target; `attempts` in order, at least one. */
export function observe(
  attempts: readonly Transcript[],
  judges: Judges & { readonly control?: Attempt["control"] },
): Observation {
  const evaluated = attempts.map((transcript) => {
    const evaluation = evaluate(transcript, judges);
    return { transcript, evaluation, stoppedBy: stopOf(evaluation.checks) };
  });
  const judged = evaluated.find(({ stoppedBy }) => stoppedBy === null) ?? evaluated.at(-1);
  if (!judged) throw new Error("An observation needs at least one attempt.");
  const { listing, target, kind, attempt } = judged.transcript;
  return {
    listing,
    target: target.key,
    version: target.kind === "package" ? target.version : null,
    kind,
    attempts: evaluated.map(({ transcript, stoppedBy }) => ({
      attempt: transcript.attempt,
      startedAt: transcript.startedAt,
      endedAt: endOf(transcript),
      stoppedBy,
      control: judges.control ?? "not-measured",
    })),
    judged: attempt,
    checks: judged.evaluation.checks,
    facts: judged.evaluation.facts,
  };
}

/**
 * Why a check means nothing here: one that it needs did not pass. The reason of an untested one
 * travels along, so that "behind a login" stays that.
 */
function blockedBy(check: Check, before: readonly CheckOutcome[]): CheckResult[] | undefined {
  const need = check.needs
    .map((id) => before.find((outcome) => outcome.check === id))
    .find((outcome) => outcome && !isThrough(outcome));
  if (!need) return undefined;
  if (need.outcome === "failed") {
    return [untested("not-reached", `${NOT_REACHED} ${need.check} failed.`)];
  }
  const reason = need.reason ?? "not-reached";
  // What kept the need from being tested kept this one too: say that, not the links of the chain.
  if (need.because.startsWith(NOT_REACHED)) return [untested(reason, need.because)];
  return [untested(reason, `${NOT_REACHED} ${need.check} could not be tested (${reason}).`)];
}

/** How the sentence of a check begins that was not reached. */
export const NOT_REACHED = "Not reached, because";

const isThrough = ({ outcome }: CheckOutcome) => outcome === "passed" || outcome === "inapplicable";

/** A crash of ours is reported as ours, and stops no other check. */
function runCheck(check: Check, transcript: Transcript): readonly CheckResult[] {
  try {
    return [check.run(transcript)].flat();
  } catch (error) {
    const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return [cantTell("check-crashed", `Our check crashed, which is a bug of ours. ${words}`)];
  }
}

function stored(check: Check, result: CheckResult): CheckOutcome {
  const { subject, outcome, reason, because, evidence } = result;
  return {
    check: check.id,
    ...(subject === undefined ? {} : { subject }),
    outcome,
    ...(reason === undefined ? {} : { reason }),
    because,
    // One event may complete several messages.
    evidence: [...new Set(evidence)],
  };
}

function* readFacts(
  facts: readonly Fact[],
  transcript: Transcript,
): Iterable<[string, Observation["facts"][string]]> {
  for (const fact of facts) {
    try {
      const value = fact.run(transcript);
      // Only readonly arrays tell the two types of JSON apart, and nobody changes a fact.
      if (value !== undefined) yield [fact.id, value as Observation["facts"][string]];
    } catch {
      // A fact counts for nothing; one that our own bug keeps back is simply absent.
    }
  }
}

/** The first L0 check that neither passed nor was inapplicable. */
function stopOf(outcomes: readonly CheckOutcome[]): Attempt["stoppedBy"] {
  const stop = outcomes.find((outcome) => outcome.check.startsWith("L0.") && !isThrough(outcome));
  if (!stop) return null;
  const { check, outcome, reason } = stop;
  return { check, outcome, ...(reason === undefined ? {} : { reason }) };
}

/** When the last event happened. */
function endOf(transcript: Transcript): string {
  const last = transcript.events.at(-1)?.at ?? 0;
  return new Date(Date.parse(transcript.startedAt) + last).toISOString();
}
