/** What is known about one target after one run: the outcomes and facts that its transcripts prove. */
import { z } from "zod";
import { Outcome } from "./check.ts";
import { Capability } from "./control/control.ts";
import { RunKind } from "./transcript/schema.ts";

/** A check's result as stored. */
export const CheckOutcome = z.strictObject({
  check: z.string(),
  subject: z.string().optional(),
  outcome: Outcome,
  reason: z.string().optional(),
  because: z.string(),
  /** Indices of events in the transcript of the judged attempt. */
  evidence: z.array(z.int().nonnegative()),
});
export type CheckOutcome = z.infer<typeof CheckOutcome>;

/** One attempt, as far as a verdict needs it. */
export const Attempt = z.strictObject({
  attempt: z.int().positive(),
  startedAt: z.iso.datetime({ precision: 3 }),
  endedAt: z.iso.datetime({ precision: 3 }),
  /** The first L0 check that neither passed nor was inapplicable; null when L0 passed. */
  stoppedBy: z
    .strictObject({ check: z.string(), outcome: Outcome, reason: z.string().optional() })
    .nullable(),
  /** Our own known-good exchange near this attempt, for the capabilities it depended on. */
  control: z.enum(["passed", "failed", "not-measured"]),
  /** What of ours did not work; there when the control failed. */
  lost: Capability.optional(),
});
export type Attempt = z.infer<typeof Attempt>;

export const Observation = z.strictObject({
  listing: z.string().nullable(),
  /** The target's key. */
  target: z.string(),
  /** Version of the package; null for a remote. */
  version: z.string().nullable(),
  kind: RunKind,
  attempts: z.array(Attempt).min(1),
  /** The attempt whose transcript gave `checks` and `facts`: the first that passed L0, else the last. */
  judged: z.int().positive(),
  checks: z.array(CheckOutcome),
  /** By fact id. */
  facts: z.record(z.string(), z.json()),
});
export type Observation = z.infer<typeof Observation>;
