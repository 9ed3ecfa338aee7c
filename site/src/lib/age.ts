/** How old a result is. The server prints dates; only the reader's browser knows what time it is. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export type Freshness = "fresh" | "stale" | "hidden";
const ORDER: readonly Freshness[] = ["fresh", "stale", "hidden"];

/** `now`, `5 min ago`, `3 h ago`, `12 d ago`; empty when `time` lies ahead, as it does for a clock that is slow. */
export function age(time: string, now: number): string {
  const passed = now - Date.parse(time);
  if (!(passed >= 0)) return "";
  if (passed < MINUTE) return "now";
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} min ago`;
  if (passed < 2 * DAY) return `${Math.floor(passed / HOUR)} h ago`;
  return `${Math.floor(passed / DAY)} d ago`;
}

/** What is left of `printed` at `now`: a result can only get older, whatever a reader's clock says. */
export function ageFurther(
  printed: Freshness,
  at: { readonly stale: string; readonly hidden: string },
  now: number,
): Freshness {
  const seen =
    now >= Date.parse(at.hidden) ? "hidden" : now >= Date.parse(at.stale) ? "stale" : "fresh";
  return ORDER.indexOf(seen) > ORDER.indexOf(printed) ? seen : printed;
}

/** What stands before the verdict's word. */
export const QUALIFIER: Readonly<Record<Freshness, string>> = {
  fresh: "",
  stale: "stale",
  hidden: "last known",
};
