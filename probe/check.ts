/** What a check is: a yes/no rule over one transcript, with a stable id. */
import { z } from "zod";
import type { Transcript } from "./transcript/schema.ts";

/** Index of an event in its transcript. */
export type EventRef = number;

/**
 * `inapplicable` is by design (TLS on stdio), `untested` is nobody's fault (behind a login, not
 * reached), `cantTell` is ours to blame (our crash, our cap, our network).
 */
export const Outcome = z.enum(["passed", "failed", "inapplicable", "untested", "cantTell"]);
export type Outcome = z.infer<typeof Outcome>;

/** What a check says. `because` is for people: what was expected, what came, what to do about it. */
export type CheckResult =
  | {
      readonly outcome: "passed" | "failed";
      readonly because: string;
      /** Never empty: a claim about a server shows where it was seen. */
      readonly evidence: readonly [EventRef, ...EventRef[]];
      /** Stable machine code, kebab-case. */
      readonly reason?: string;
      /** What the result is about when a check speaks once per tool: its index and name. */
      readonly subject?: string;
    }
  | {
      readonly outcome: "inapplicable" | "untested" | "cantTell";
      readonly because: string;
      readonly evidence: readonly EventRef[];
      readonly reason?: string;
      readonly subject?: string;
    };

type Extra = { readonly reason?: string; readonly subject?: string };
type Evidence = readonly [EventRef, ...EventRef[]];

export const passed = (because: string, evidence: Evidence, extra: Extra = {}): CheckResult => ({
  outcome: "passed",
  because,
  evidence,
  ...extra,
});

/** `reason` says which kind of failure it is, for machines. */
export const failed = (
  reason: string,
  because: string,
  evidence: Evidence,
  extra: Extra = {},
): CheckResult => ({ outcome: "failed", because, evidence, reason, ...extra });

export const inapplicable = (because: string, evidence: readonly EventRef[] = []): CheckResult => ({
  outcome: "inapplicable",
  because,
  evidence,
});

export const untested = (
  reason: string,
  because: string,
  evidence: readonly EventRef[] = [],
  extra: Extra = {},
): CheckResult => ({ outcome: "untested", because, evidence, reason, ...extra });

export const cantTell = (
  reason: string,
  because: string,
  evidence: readonly EventRef[] = [],
  extra: Extra = {},
): CheckResult => ({ outcome: "cantTell", because, evidence, reason, ...extra });

export type CheckId = `L${0 | 1 | 2}.${string}`;

export interface Check {
  /** Stable for ever, and the name of its file. A correction is a successor (`L1.envelope@2`). */
  readonly id: CheckId;
  /** A statement that is true when the check passed. */
  readonly title: string;
  /** One sentence: the exact rule. */
  readonly passesWhen: string;
  /** Who is hurt when it fails, and how. */
  readonly why: string;
  /** What a server's author does about a failure. */
  readonly fix: string;
  /** Checks that must have passed, or not apply, for this one to mean anything. */
  readonly needs: readonly CheckId[];
  /** Pure: the same transcript gives the same result on every machine, for ever. */
  run(transcript: Transcript): CheckResult | readonly CheckResult[];
}

/** Declares a check; the default export of a file in `checks/`. */
export const defineCheck = (check: Check): Check => Object.freeze(check);
