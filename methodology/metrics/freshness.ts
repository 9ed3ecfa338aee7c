/** How long a verdict is worth showing. */
import type { VerdictAssessment } from "../verdict/assessment.ts";

import { DAY, HOUR } from "./window.ts";

/** Milliseconds after a check from which its verdict is stale, and from which it is only history. */
export const STALE_AFTER = 48 * HOUR;
export const HIDDEN_AFTER = 7 * DAY;

export interface Freshness {
  readonly staleAt: string;
  readonly hiddenAt: string;
  readonly freshness: NonNullable<VerdictAssessment["freshness"]>;
}

/** Both times are ISO 8601 in UTC; `asOf` stands for now. */
export function freshness(checkedAt: string, asOf: string): Freshness {
  const age = Date.parse(asOf) - Date.parse(checkedAt);
  return {
    staleAt: later(checkedAt, STALE_AFTER),
    hiddenAt: later(checkedAt, HIDDEN_AFTER),
    freshness: age >= HIDDEN_AFTER ? "hidden" : age >= STALE_AFTER ? "stale" : "fresh",
  };
}

function later(moment: string, milliseconds: number): string {
  return new Date(Date.parse(moment) + milliseconds).toISOString();
}
