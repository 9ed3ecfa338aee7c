/** How long a target takes to open. */
import { z } from "zod";
import { percentile } from "../arithmetic/percentile.ts";
import type { History } from "../history.ts";
import { DAY, within } from "./window.ts";

export interface Percentiles {
  /** Milliseconds, nearest rank. */
  readonly p50: number;
  readonly p95: number;
  /** Openings that they rest on. */
  readonly n: number;
}

export interface Latency {
  /** The opening on a fresh connection or process, over 30 days. */
  readonly opening: Percentiles | null;
}

const LatencyFact = z.object({ opening: z.int().nonnegative() });

/** Null where no opening was timed. `asOf` is the end of the newest run. */
export function latency({
  history,
  asOf,
}: {
  readonly history: History;
  readonly asOf: string;
}): Latency {
  const openings = within(history, asOf, 30 * DAY).flatMap(
    ({ observation }) => LatencyFact.safeParse(observation.facts["latency"]).data?.opening ?? [],
  );
  const p50 = percentile(openings, 50);
  const p95 = percentile(openings, 95);
  if (p50 === undefined || p95 === undefined) return { opening: null };
  return { opening: { p50, p95, n: openings.length } };
}
