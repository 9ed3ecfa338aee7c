/** How far back the published history reaches. */

/** Days of history that a page shows and `raw` offers. */
export const WINDOW_DAYS = 30;

/** Stands for "as of" while there is no run; nothing is measured up to it. */
export const BEFORE_ANY_RUN = "1970-01-01T00:00:00.000Z";

/** The moment some days before another, ISO 8601 in UTC. */
export function daysBefore(moment: string, days: number): string {
  return new Date(Date.parse(moment) - days * 86_400_000).toISOString();
}
