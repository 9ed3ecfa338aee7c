/** What a verdict methodology returns. */
import { z } from "zod";

export const Verdict = z.enum(["alive", "degraded", "dead", "unverifiable"]);
export type Verdict = z.infer<typeof Verdict>;

export const VerdictAssessment = z.strictObject({
  methodology: z.string(),
  /** Null while no observation could give one. */
  verdict: Verdict.nullable(),
  /** Stable code behind an unverifiable, dead or missing verdict, e.g. `auth-required`; else null. */
  reason: z.string().nullable(),
  /** One sentence for people: what is known. "Answers, and asks for credentials." */
  because: z.string(),
  /** The observation that gave the verdict; null while there is none. */
  from: z
    .strictObject({
      run: z.string(),
      /** When it was checked: ISO 8601, UTC. */
      checkedAt: z.iso.datetime({ precision: 3 }),
      /** The version of the server that was checked, where known. */
      version: z.string().nullable(),
    })
    .nullable(),
  /** When it becomes stale (48 h) and when it is hidden (7 days). */
  staleAt: z.iso.datetime({ precision: 3 }).nullable(),
  hiddenAt: z.iso.datetime({ precision: 3 }).nullable(),
  freshness: z.enum(["fresh", "stale", "hidden"]).nullable(),
  /** Checks of the methodology: how many passed, of how many that ran (passed or failed), and how many exist. */
  passed: z.int(),
  assessed: z.int(),
  total: z.int(),
  /** Ids of the checks that failed. */
  failed: z.array(z.string()),
});
export type VerdictAssessment = z.infer<typeof VerdictAssessment>;
