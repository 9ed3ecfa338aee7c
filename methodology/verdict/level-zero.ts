/** Whether the server answers and speaks MCP at all, over all attempts of one observation. */
import type { Attempt, Observation } from "../../probe/observation.ts";
import { isOurs, reasonOf } from "./reasons.ts";

/** Attempts that must all have failed, and the least time between their starts in milliseconds. */
export const ATTEMPTS_FOR_DEAD = 3;
export const ATTEMPT_GAP = 60_000;

export type LevelZero =
  | { readonly result: "passed"; readonly judged: Attempt }
  /** Something other than the server's fault stood in the way. */
  | {
      readonly result: "stopped";
      readonly reason: string;
      /** What of ours failed, behind `control-failed`. */
      readonly lost?: Attempt["lost"];
    }
  /** Every attempt failed by the server's fault; `doubt` says why that does not make it dead. */
  | { readonly result: "failed"; readonly last: Attempt; readonly doubt: Doubt | null };

export type Doubt = "attempts-incomplete" | "attempts-too-close" | "control-not-measured";

export function levelZero({ attempts, judged }: Observation): LevelZero {
  const chosen = attempts.find(({ attempt }) => attempt === judged);
  if (chosen?.stoppedBy === null) return { result: "passed", judged: chosen };
  const stops = attempts.flatMap((attempt) => stopOf(attempt) ?? []);
  // A word from the server's side was seen; a fault of ours only kept us from seeing.
  const stop = stops.findLast(({ reason }) => !isOurs(reason)) ?? stops.at(-1);
  if (stop !== undefined) return { result: "stopped", ...stop };
  return { result: "failed", last: attempts.at(-1)!, doubt: doubtOf(attempts) };
}

/** What ended an attempt before L0 was through, if it was not the server's fault. */
function stopOf({ stoppedBy, control, lost }: Attempt) {
  if (stoppedBy === null) return undefined;
  if (control === "failed") return { reason: "control-failed", ...(lost && { lost }) };
  return stoppedBy.outcome === "failed" ? undefined : { reason: reasonOf(stoppedBy) };
}

function doubtOf(attempts: readonly Attempt[]): Doubt | null {
  const failures = attempts.filter(({ stoppedBy }) => stoppedBy?.outcome === "failed");
  if (failures.length < Math.max(attempts.length, ATTEMPTS_FOR_DEAD)) return "attempts-incomplete";
  const starts = failures.map(({ startedAt }) => Date.parse(startedAt));
  if (starts.some((start, index) => index > 0 && start - starts[index - 1]! < ATTEMPT_GAP)) {
    return "attempts-too-close";
  }
  return failures.every(({ control }) => control === "passed") ? null : "control-not-measured";
}
