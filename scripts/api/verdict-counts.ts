/** How often each verdict occurs; `none` is no verdict, or one too old to be shown. */
import type { VerdictAssessment } from "../../methodology/verdict/assessment.ts";
import type { Stats } from "./schema.ts";

type Counts = Stats["verdicts"];

export function countVerdicts(
  assessments: readonly Pick<VerdictAssessment, "verdict" | "freshness">[],
): Counts {
  const counts = { alive: 0, degraded: 0, dead: 0, unverifiable: 0, none: 0 };
  for (const { verdict, freshness } of assessments) {
    counts[freshness === "hidden" ? "none" : (verdict ?? "none")] += 1;
  }
  return counts;
}
