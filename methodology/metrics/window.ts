/** The stretch of a history that a metric is computed over. */
import { type History, observedAt } from "../history.ts";

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** Observations made in the `length` milliseconds up to a moment; the moment itself counts. */
export function within(history: History, asOf: string, length: number): History {
  const end = Date.parse(asOf);
  return history.filter((entry) => {
    const age = end - Date.parse(observedAt(entry));
    return age >= 0 && age < length;
  });
}
