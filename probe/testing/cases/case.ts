/** What a case is: a fault from a public bug report, its variants, and what we must make of each. */
import type { CheckOutcome, Observation } from "../../observation.ts";
import type { Transcript } from "../../transcript/schema.ts";
import type { Program } from "./program.ts";
import type { Remote } from "./remote.ts";

export interface Case {
  readonly id: string;
  readonly title: string;
  /** The thread in which it was reported. */
  readonly source: string;
  readonly variants: Readonly<Record<string, Variant>>;
}

export interface Variant {
  /** What the server does differently from the healthy one, and what becomes of it. */
  readonly what: string;
  readonly server: Remote | Program;
  readonly expected: Expected;
}

type Word = "alive" | "degraded" | "dead" | "unverifiable";

export interface Expected {
  /** Under verdict/1.1.0. */
  readonly verdict: Word;
  /** Under verdict/1.0.0, where it differs. */
  readonly formerly?: Word;
  /** Of verdict/1.1.0. */
  readonly reason?: string;
  /**
   * Outcomes that are not those of the healthy server. When one of L0 does not pass, all that it is
   * needed for is `untested` without being named. `any`: not asserted.
   */
  readonly checks?: Readonly<Record<string, CheckOutcome["outcome"] | "any">>;
  /** Facts that must have these values; objects may hold more than is named. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** How many attempts are made; one where nothing is said and L0 passes, three where it fails. */
  readonly attempts?: number;
  /** What else must hold, with all that was asked and recorded at hand. */
  readonly also?: (outcome: Outcome) => void;
}

/** All that came of a variant. */
export interface Outcome {
  readonly transcripts: readonly Transcript[];
  readonly observation: Observation;
  /** All that the server was asked, in order. */
  readonly asked: readonly Ask[];
  /** Every process that was started. */
  readonly pids: readonly number[];
  /** How often its package was installed. */
  readonly installs: number;
}

/** One message of the probe, as the server gets it. */
export interface Ask {
  /** Which attempt this belongs to: 1, 2 or 3. */
  readonly attempt: number;
  readonly message: Readonly<Record<string, unknown>> | undefined;
  readonly method: string | undefined;
  readonly id: unknown;
  readonly params: Readonly<Record<string, unknown>>;
  /** How often this method was asked in this attempt, this time included. */
  readonly time: number;
  /** Of HTTP; empty on a pipe. */
  readonly http: string;
  readonly host: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}
