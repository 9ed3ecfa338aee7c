/** Reads all runs once, newest first, and keeps of each target what its page needs. */
import type { Entry, History } from "../../methodology/history.ts";
import type { Judges, Run } from "./input.ts";
import type { RunIndex } from "./schema.ts";
import { countVerdicts } from "./verdict-counts.ts";
import { daysBefore, WINDOW_DAYS } from "./window.ts";

export interface Histories {
  /** The end of the newest run; null before the first. */
  readonly asOf: string | null;
  readonly runs: RunIndex;
  /** The history of one listing's target, by its key. */
  of(listing: string, target: string): History;
}

/** A target's key is unique within its listing alone; no listing's name holds a space. */
const keyOf = (listing: string, target: string) => `${listing} ${target}`;

/**
 * Keeps the last 30 days of every target. Of what is older it keeps what the verdict may still stand
 * on: the entries back to the newest that gives one, and the newest that names the server's version.
 * So the last known result is never lost, and memory does not grow with the age of the directory.
 */
export async function readHistories(
  runs: readonly Run[],
  { verdicts }: Judges,
): Promise<Histories> {
  const newestFirst = runs.toSorted((a, b) => (isOlder(a.about, b.about) ? 1 : -1));
  const asOf = newestFirst[0]?.about.endedAt ?? null;
  const start = asOf === null ? "" : daysBefore(asOf, WINDOW_DAYS);
  const kept = new Map<string, Kept>();
  const rows: RunIndex["runs"] = [];

  for (const { about, observations } of newestFirst) {
    const ownVerdicts = [];
    for await (const observation of observations()) {
      const entry: Entry = { run: about.id, endedAt: about.endedAt, observation };
      const alone = verdicts.map((methodology) =>
        methodology.assess({ history: [entry], asOf: about.endedAt }),
      );
      ownVerdicts.push(alone[0]!);
      const key = keyOf(observation.listing ?? "", observation.target);
      const target = kept.get(key) ?? { entries: [], judged: false, named: false };
      kept.set(key, target);
      const judges = alone.every(({ verdict }) => verdict !== null);
      const names = alone.some(({ from }) => from !== null && from.version !== null);
      if (about.endedAt >= start || !target.judged || (names && !target.named)) {
        target.entries.push(entry);
      }
      target.judged ||= judges;
      target.named ||= names;
    }
    rows.push({ ...about, targets: ownVerdicts.length, verdicts: countVerdicts(ownVerdicts) });
  }
  for (const { entries } of kept.values()) entries.reverse();
  return {
    asOf,
    runs: { runs: rows },
    of: (listing, target) => kept.get(keyOf(listing, target))?.entries ?? [],
  };
}

/** The entries of one target, and whether any of them gives every verdict, or a version. */
interface Kept {
  readonly entries: Entry[];
  judged: boolean;
  named: boolean;
}

function isOlder(a: Run["about"], b: Run["about"]): boolean {
  return a.endedAt === b.endedAt ? a.id < b.id : a.endedAt < b.endedAt;
}
