/** The verdict that stands at a moment: the newest one given for the version last seen. */
import { type Entry, observedAt, until } from "../history.ts";
import type { Methodology } from "../methodology.ts";
import { freshness } from "../metrics/freshness.ts";
import type { Observation } from "../../probe/observation.ts";
import type { VerdictAssessment } from "./assessment.ts";
import { judge, type Judgement } from "./judge.ts";
import { versions } from "./versions.ts";

type Declared = Omit<Methodology<VerdictAssessment>, "assess">;
type Read = (observation: Observation, checks: readonly string[]) => Observation;

const asStored: Read = (observation) => observation;

/** The `assess` of a verdict version; `read` says how it reads an observation. */
export function standing(
  { id, checks }: Declared,
  read: Read = asStored,
): Methodology<VerdictAssessment>["assess"] {
  return ({ history, asOf }) => {
    const known = until(history, asOf);
    const version = versions(known);
    const newest = known.at(-1);
    if (!newest) return { ...unseen(checks.length), methodology: id };
    for (let index = known.length - 1; index >= 0; index--) {
      // A verdict belongs to one version of the server: another version starts a new line.
      if (version[index] !== version.at(-1)) continue;
      const judgement = judge(read(known[index]!.observation, checks), checks);
      if (judgement.verdict !== null) {
        return given(id, judgement, known[index]!, version[index]!, asOf);
      }
    }
    return { methodology: id, ...judge(read(newest.observation, checks), checks), ...undated };
  };
}

function given(
  methodology: string,
  judgement: Judgement,
  entry: Entry,
  version: string | null,
  asOf: string,
): VerdictAssessment {
  const checkedAt = observedAt(entry);
  return {
    methodology,
    ...judgement,
    from: { run: entry.run, checkedAt, version },
    ...freshness(checkedAt, asOf),
  };
}

const undated = { from: null, staleAt: null, hiddenAt: null, freshness: null } as const;

function unseen(total: number): Omit<VerdictAssessment, "methodology"> {
  return {
    verdict: null,
    reason: "not-checked",
    because: "Not checked yet.",
    ...undated,
    passed: 0,
    assessed: 0,
    total,
    failed: [],
  };
}
