/** How long a server asks to be left alone (RFC 9110, section 10.2.3). */
import { type Exchange, responseHeader } from "./exchanges.ts";

/** Milliseconds from `now`; undefined where the answer names no time. The past counts as now. */
export function retryAfter(exchange: Exchange, now: number): number | undefined {
  const value = responseHeader(exchange, "retry-after")?.trim() ?? "";
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  // Dates of HTTP are in English and in GMT, which every engine reads alike.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(value))
    return undefined;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
