/** `stats.json`: the directory in numbers. */
import type { ServerIndex, Stats } from "./schema.ts";
import { countVerdicts } from "./verdict-counts.ts";

/** `runs` is how many runs the data holds. */
export function stats({ asOf, servers }: ServerIndex, runs: number): Stats {
  return {
    asOf,
    listings: servers.length,
    verdicts: countVerdicts(servers.map(({ verdict }) => verdict)),
    runs,
  };
}
