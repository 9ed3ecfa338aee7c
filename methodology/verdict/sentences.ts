/** What a verdict says to people: one sentence, with every count and what it is out of. */
import type { Attempt } from "../../probe/observation.ts";
import type { Doubt } from "./level-zero.ts";
import { ATTEMPTS_FOR_DEAD } from "./level-zero.ts";
import { reasons } from "./reasons.ts";
import type { Tally } from "./tally.ts";

const counted = ({ passed, assessed }: Tally) => `${passed} of ${assessed} checks that ran passed`;

export const alive = (tally: Tally) => `Answers and speaks MCP; ${counted(tally)}.`;

export const degraded = ({ failed, assessed }: Tally) =>
  `${failed.length} of ${assessed} checks that ran failed: ${failed.join(", ")}.`;

export function dead({ stoppedBy }: Attempt, attempts: number): string {
  const { check, reason } = stoppedBy!;
  const cause = reason === undefined ? check : `${check} (${reason})`;
  return `Failed on ${attempts} of ${attempts} attempts while our own control check passed: ${cause}.`;
}

export function doubtful(doubt: Doubt, attempts: number): string {
  switch (doubt) {
    case "attempts-incomplete":
      return `Failed on ${attempts} of the ${ATTEMPTS_FOR_DEAD} attempts that a verdict needs.`;
    case "attempts-too-close":
      return `Failed on ${attempts} attempts, but some started less than a minute apart.`;
    case "control-not-measured":
      return `Failed on ${attempts} attempts, but our own control check did not accompany each.`;
  }
}

/** Stopped before L0 was through; a reason outside the published list is named by its code. */
export function stopped({
  reason,
  lost,
}: {
  readonly reason: string;
  readonly lost?: string | undefined;
}): string {
  const words = reasons.get(reason)?.opening ?? `Could not be checked (${reason})`;
  return `${words}${lost === undefined ? "" : ` (what failed is ours: ${lost})`}.`;
}

/** Stopped after L0, at `check`. */
export function stoppedLater(reason: string, check: string, tally: Tally): string {
  const words = reasons.get(reason)?.later ?? `Opens, but ${check} could not be tested (${reason})`;
  return `${words}; ${counted(tally)}.`;
}

export const openingOnly = (tally: Tally) =>
  `Answers and opens, and was asked no further; ${counted(tally)}.`;

export const missing = (check: string, tally: Tally) =>
  `Opens, but the record holds no ${check}; ${counted(tally)}.`;
