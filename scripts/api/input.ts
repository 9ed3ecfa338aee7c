/** What the API is made of: plain values, wherever they were read from. */
import type { History } from "../../methodology/history.ts";
import type { Methodology } from "../../methodology/methodology.ts";
import type { VerdictAssessment } from "../../methodology/verdict/assessment.ts";
import type { Check } from "../../probe/check.ts";
import type { Fact } from "../../probe/fact.ts";
import type { Observation } from "../../probe/observation.ts";
import type { Target, Transcript } from "../../probe/transcript/schema.ts";
import type { RunIndex } from "./schema.ts";

/** The stored data, as readers that never hold all of it. */
export interface Data {
  listings(): AsyncIterable<Listing>;
  /** Every run, in any order. */
  runs(): AsyncIterable<Run>;
}

/** What a listing says of itself. */
export interface Listing {
  /** `namespace/name` */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly repository: string | null;
  readonly website: string | null;
  /** The primary target first. */
  readonly targets: readonly Target[];
}

/** A run: what `runs.json` says of it, and what it holds. */
export interface Run {
  readonly about: Omit<RunIndex["runs"][number], "targets" | "verdicts">;
  observations(): AsyncIterable<Observation>;
  /** Transcripts of some targets, by their keys. */
  transcripts(targets: ReadonlySet<string>): AsyncIterable<Omit<Recorded, "run">>;
}

/** One listing with all that is known of its targets. */
export interface Listed extends Omit<Listing, "targets"> {
  readonly targets: readonly Known[];
}

/** What is known of one target. */
export interface Known {
  readonly target: Target;
  readonly history: History;
  /** Those of 30 days, and those of the observation on display. */
  readonly transcripts: readonly Recorded[];
}

export interface Recorded {
  /** Id of the run that made it. */
  readonly run: string;
  readonly listing: string | null;
  /** Key of the target. */
  readonly target: string;
  /** Null when a takedown withholds bytes of it. */
  readonly transcript: Transcript | null;
}

/** The programs that read the data. */
export interface Judges {
  /** In the order they are asked. */
  readonly checks: readonly Check[];
  readonly facts: readonly Fact[];
  /** Verdict methodologies, the current one first. */
  readonly verdicts: readonly [
    Methodology<VerdictAssessment>,
    ...(readonly Methodology<VerdictAssessment>[]),
  ];
  /** Of all families, every version. */
  readonly methodologies: readonly Methodology<unknown>[];
  /** Ids of the current versions, one of each family. */
  readonly current: ReadonlySet<string>;
}
