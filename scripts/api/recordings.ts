/** Fetches the transcripts that the pages of some listings show, each run read once. */
import type { History } from "../../methodology/history.ts";
import type { Histories } from "./histories.ts";
import type { Judges, Listed, Listing, Recorded, Run } from "./input.ts";
import { RAW_LIMIT } from "./raw.ts";
import { shownEntry } from "./server-page.ts";
import { daysBefore, WINDOW_DAYS } from "./window.ts";

export async function withRecordings(
  listings: readonly Listing[],
  histories: Histories,
  runs: readonly Run[],
  judges: Judges,
): Promise<readonly Listed[]> {
  const { asOf } = histories;
  const wanted = new Map<string, Set<string>>();
  for (const { name, targets } of listings) {
    for (const { key } of targets) {
      for (const run of asOf === null ? [] : runsToShow(histories.of(name, key), judges, asOf)) {
        wanted.set(run, (wanted.get(run) ?? new Set()).add(key));
      }
    }
  }
  const found: Recorded[] = [];
  for (const { about, transcripts } of runs) {
    const targets = wanted.get(about.id);
    if (!targets) continue;
    for await (const read of transcripts(targets)) found.push({ run: about.id, ...read });
  }
  return listings.map((listing) => ({
    ...listing,
    targets: listing.targets.map((target) => ({
      target,
      history: histories.of(listing.name, target.key),
      transcripts: found.filter(
        (recorded) => recorded.listing === listing.name && recorded.target === target.key,
      ),
    })),
  }));
}

/** Ids of the runs that hold the newest transcripts of 30 days, and the observation on display. */
function runsToShow(history: History, judges: Judges, asOf: string): ReadonlySet<string> {
  const start = daysBefore(asOf, WINDOW_DAYS);
  const ids = new Set<string>();
  let attempts = 0;
  for (const { run, endedAt, observation } of history.toReversed()) {
    if (endedAt < start || attempts >= RAW_LIMIT) break;
    attempts += observation.attempts.length;
    ids.add(run);
  }
  const shown = shownEntry(history, judges.verdicts[0].assess({ history, asOf }));
  return shown ? ids.add(shown.run) : ids;
}
