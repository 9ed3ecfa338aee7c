/** Everything that can be said about the attempts at one target, without asking it again. */
import { currentVerdict } from "../../methodology/index.ts";
import { assessAlone } from "../../methodology/methodology.ts";
import type { VerdictAssessment } from "../../methodology/verdict/assessment.ts";
import { checks } from "../checks/index.ts";
import type { Control } from "../control/control.ts";
import { observe } from "../evaluate.ts";
import { facts } from "../facts/index.ts";
import type { Observation } from "../observation.ts";
import type { Transcript } from "../transcript/schema.ts";
import { report } from "./report.ts";

export interface Judgement {
  readonly observation: Observation;
  /** The transcript of the judged attempt. */
  readonly transcript: Transcript;
  readonly assessment: VerdictAssessment;
}

/** `control` holds what was measured of our own side near the attempts. */
export function judge(
  attempts: readonly Transcript[],
  control: readonly Control[] = [],
): Judgement {
  const observation = observe(attempts, { checks, facts, control });
  const transcript = attempts.find(({ attempt }) => attempt === observation.judged)!;
  return { observation, transcript, assessment: assessAlone(currentVerdict, observation) };
}

/** The report for people; `width` in columns. */
export function reportOf(judgement: Judgement, width: number): string {
  return report({ ...judgement, checks, facts, width });
}

/** 0 when all that ran passed, 1 when something failed, 3 when we could not tell. */
export function exitCodeOf({ observation, assessment }: Judgement): 0 | 1 | 3 {
  if (observation.checks.some(({ outcome }) => outcome === "failed")) return 1;
  return assessment.verdict === "alive" || observation.kind === "liveness" ? 0 : 3;
}
