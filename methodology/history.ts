/** What a methodology may look at: the observations of one target, in order, and nothing else. */
import type { Observation } from "../probe/observation.ts";

export interface Entry {
  /** Id of the run, `YYYY/MM/DD/HHMMZ-kind-id`. */
  readonly run: string;
  /** When the run ended, ISO 8601 in UTC. */
  readonly endedAt: string;
  readonly observation: Observation;
}

/** Oldest first. */
export type History = readonly Entry[];

/** When an observation was made: the end of its last attempt. */
export function observedAt(entry: Entry): string {
  return entry.observation.attempts.at(-1)!.endedAt;
}

/** What was known at a moment (ISO 8601, UTC): the entries of runs that had ended by then. */
export function until(history: History, asOf: string): History {
  const end = Date.parse(asOf);
  return history.filter((entry) => Date.parse(entry.endedAt) <= end);
}
