/** What a methodology is: a dated, versioned, pure function from a history to an assessment. */
import type { Observation } from "../probe/observation.ts";
import type { History } from "./history.ts";

export interface Methodology<Assessment> {
  /** `family/version`, and the path of its folder. */
  readonly id: `${string}/${string}`;
  readonly title: string;
  /** Date from which the folder is frozen, `YYYY-MM-DD`. */
  readonly publishedOn: string;
  /** The closed list of checks that it reads; a check that no list names counts for nothing. */
  readonly checks: readonly string[];
  /**
   * The lists of `rules/` by which its reasons come about, each with the SHA-256 of its file. They are
   * frozen with it: another list is another version.
   */
  readonly rules: Readonly<Record<string, string>>;
  /** Pure: reads `history` up to `asOf` (ISO 8601, UTC) and nothing else, never the clock. */
  assess(input: { readonly history: History; readonly asOf: string }): Assessment;
}

/** Declares a methodology version; the default export of its folder's `index.ts`. */
export const defineMethodology = <Assessment>(
  methodology: Methodology<Assessment>,
): Methodology<Assessment> => Object.freeze(methodology);

/** What one observation says by itself, without a history, at the moment it ended. */
export function assessAlone<Assessment>(
  { assess }: Methodology<Assessment>,
  observation: Observation,
): Assessment {
  const endedAt = observation.attempts.at(-1)!.endedAt;
  return assess({ history: [{ run: "", endedAt, observation }], asOf: endedAt });
}
