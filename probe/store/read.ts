/** Reads what is stored, run by run: never the whole history in memory. */
import { join } from "node:path";
import { type Entry, observedAt } from "../../methodology/history.ts";
import { DataError } from "../errors.ts";
import { Observation } from "../observation.ts";
import type { Transcript } from "../transcript/schema.ts";
import { findBodies, type FoundBody } from "./bodies.ts";
import { decodeTranscript, type Ref, refsOf } from "./codec.ts";
import type { Line } from "./encoding.ts";
import { readJson } from "./json.ts";
import { parseRunId, runsFolder } from "./paths.ts";
import { linesOfShard, openRun, type Shard, type StoredRun } from "./run.ts";
import { StoredTranscript } from "./schema.ts";
import { entriesOf, readTombstones } from "./tombstones.ts";

/** Ids of all runs, oldest first; none when nothing ran yet. `DataError` for what is no run. */
export async function runIds(dataDir: string): Promise<readonly string[]> {
  const root = runsFolder(dataDir);
  let ids = await entriesOf(root);
  for (let depth = 1; depth < 4; depth += 1) {
    const below = await Promise.all(
      ids.map(async (id) => (await entriesOf(join(root, id))).map((entry) => `${id}/${entry}`)),
    );
    ids = below.flat();
  }
  const stray = ids.find((id) => !parseRunId(id));
  if (stray !== undefined) throw new DataError(join(root, stray), undefined, "is no run id");
  return ids;
}

/** Runs, oldest first; `from` leaves out those before an id or a day (`YYYY/MM/DD`). */
export async function* runs(
  dataDir: string,
  { from = "" }: { readonly from?: string } = {},
): AsyncIterable<StoredRun> {
  for (const id of await runIds(dataDir)) if (id >= from) yield await openRun(dataDir, id);
}

/** An observation and where it stands. */
export interface StoredObservation extends Line {
  readonly path: string;
  readonly observation: Observation;
}

/** The observations of a run, by shard and target. */
export async function* observations(run: StoredRun): AsyncIterable<StoredObservation> {
  for (const shard of run.shards) yield* observationsOf(run, shard);
}

/** The observations of one shard. */
export async function* observationsOf(
  run: StoredRun,
  shard: Shard,
): AsyncIterable<StoredObservation> {
  const path = shard.files.observations;
  for await (const { line, text } of linesOfShard(run, shard, "observations")) {
    yield { path, line, text, observation: readJson(Observation, text, { path, line }) };
  }
}

/** A transcript and where it stands; without its events when a tombstone took a body away. */
export type StoredAttempt = {
  readonly path: string;
  readonly line: number;
  readonly listing: string | null;
  /** The target's key. */
  readonly target: string;
  readonly attempt: number;
  /** References to bodies, in order of use. */
  readonly refs: readonly Ref[];
} & (
  | { readonly transcript: Transcript; readonly withheld?: never }
  | { readonly transcript?: never; readonly withheld: readonly string[] }
);

/** The transcripts of a run, by shard, target and attempt; `targets` names the keys wanted. */
export async function* transcripts(
  run: StoredRun,
  { targets }: { readonly targets?: ReadonlySet<string> } = {},
): AsyncIterable<StoredAttempt> {
  for (const shard of run.shards) yield* transcriptsOf(run, shard, targets);
}

/** The transcripts of one shard; `DataError` when a body is missing or has another digest. */
export async function* transcriptsOf(
  run: StoredRun,
  shard: Shard,
  targets?: ReadonlySet<string>,
): AsyncIterable<StoredAttempt> {
  const path = shard.files.transcripts;
  const lines: { line: number; stored: StoredTranscript; refs: readonly Ref[] }[] = [];
  for await (const { line, text } of linesOfShard(run, shard, "transcripts")) {
    const stored = readJson(StoredTranscript, text, { path, line });
    if (targets && !targets.has(stored.target.key)) continue;
    lines.push({ line, stored, refs: refsOf(stored) });
  }
  const tombstones = await readTombstones(run.dataDir);
  const bodies = await bodiesFor(run, shard, lines);

  for (const { line, stored, refs } of lines) {
    const complain = (problem: string): never => {
      throw new DataError(path, line, `${stored.target.key}: ${problem}`);
    };
    const find = ({ sha256, run: holder = run.id }: Ref): FoundBody =>
      bodies.get(holder)?.get(sha256) ?? complain(`body ${sha256} is not in run ${holder}`);
    const { listing, attempt } = stored;
    const about = { path, line, listing, target: stored.target.key, attempt, refs };
    const withheld = refs.map(({ sha256 }) => sha256).filter((digest) => tombstones.has(digest));
    if (withheld.length > 0) {
      yield { ...about, withheld };
      continue;
    }
    const bodyOf = (ref: Ref) =>
      find(ref).bytes ?? complain(`body ${ref.sha256} was removed without a tombstone`);
    yield { ...about, transcript: decodeTranscript(stored, bodyOf, complain) };
  }
}

/** What the references of some transcripts lead to, by run and digest. */
async function bodiesFor(
  run: StoredRun,
  shard: Shard,
  lines: readonly { readonly stored: StoredTranscript; readonly refs: readonly Ref[] }[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, FoundBody>>> {
  const wanted = new Map<string, Map<string, string>>();
  for (const { stored, refs } of lines) {
    for (const { sha256, run: holder = run.id } of refs) {
      const digests = wanted.get(holder) ?? new Map<string, string>();
      wanted.set(holder, digests);
      if (!digests.has(sha256)) digests.set(sha256, stored.target.key);
    }
  }
  const bodies = new Map<string, ReadonlyMap<string, FoundBody>>();
  for (const [holder, digests] of wanted) {
    const from = holder === run.id ? run : await openRun(run.dataDir, holder);
    bodies.set(holder, await findBodies(from, digests, shard.number));
  }
  return bodies;
}

/** The history of one target of a listing (null: of none), in the order of observation. */
export async function history(
  dataDir: string,
  listing: string | null,
  target: string,
): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for await (const run of runs(dataDir)) {
    for await (const { observation } of observations(run)) {
      if (observation.target !== target || observation.listing !== listing) continue;
      entries.push({ run: run.id, endedAt: run.record.endedAt, observation });
    }
  }
  return entries.toSorted((a, b) => Date.parse(observedAt(a)) - Date.parse(observedAt(b)));
}
