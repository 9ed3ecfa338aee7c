/** How often a target answered, over the last day, week and 30 days. */
import { share } from "../arithmetic/share.ts";
import type { History } from "../history.ts";
import type { Observation } from "../../probe/observation.ts";
import { levelZero } from "../verdict/level-zero.ts";
import { isGate } from "../verdict/reasons.ts";
import { DAY, within } from "./window.ts";

export interface Share {
  /** Basis points: 10000 is all. */
  readonly share: number;
  /** Observations that it rests on. */
  readonly n: number;
}

export interface Uptime {
  readonly "24h": Share | null;
  readonly "7d": Share | null;
  readonly "30d": Share | null;
}

/** Null where no observation counts. `asOf` is the end of the newest run. */
export function uptime({
  history,
  asOf,
}: {
  readonly history: History;
  readonly asOf: string;
}): Uptime {
  const over = (days: number) => shareUp(within(history, asOf, days * DAY));
  return { "24h": over(1), "7d": over(7), "30d": over(30) };
}

function shareUp(history: History): Share | null {
  const counted = history.flatMap(({ observation }) => isUp(observation) ?? []);
  const up = share(counted.filter(Boolean).length, counted.length);
  return up === null ? null : { share: up, n: counted.length };
}

/** Undefined for an observation that counts neither way, because it says nothing about the server. */
function isUp(observation: Observation): boolean | undefined {
  const opening = levelZero(observation);
  switch (opening.result) {
    case "passed":
      return true;
    case "failed":
      return false;
    case "stopped":
      // A login, a price or a bot wall is an answer.
      return isGate(opening.reason) ? true : undefined;
  }
}
