/** Bodies by their digest: which are new, which an earlier run holds, and how to find them again. */
import { DataError } from "../errors.ts";
import { bytesOfBody, refsOf } from "./codec.ts";
import { sha256 } from "./encoding.ts";
import { readJson } from "./json.ts";
import { linesOfShard, openRun, type Shard, type StoredRun } from "./run.ts";
import { StoredBody, StoredTranscript } from "./schema.ts";

/** How many runs are searched for bodies that need no second copy. */
const RECENT_RUNS = 12;

/** The bodies of one shard while it is written. */
export class BodyPack {
  readonly #known: ReadonlyMap<string, string>;
  readonly #bodies = new Map<string, Uint8Array>();

  /** `known` has the digests that earlier runs hold, and which run. */
  constructor(known: ReadonlyMap<string, string>) {
    this.#known = known;
  }

  /** New bodies in the order of their first use. */
  get bodies(): ReadonlyMap<string, Uint8Array> {
    return this.#bodies;
  }

  /** Takes a body in when it is new, and names it. */
  readonly keep = (digest: string, bytes: Uint8Array): string => {
    const run = this.#known.get(digest);
    if (run !== undefined) return `${digest}@${run}`;
    this.#bodies.set(digest, bytes);
    return digest;
  };
}

/**
 * Digests that the newest runs' transcripts of some targets refer to, and the run that holds each.
 * `ids` are all runs, oldest first. What is not found is stored again: that costs room, no truth.
 */
export async function knownBodies(
  dataDir: string,
  ids: readonly string[],
  targets: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  const known = new Map<string, string>();
  for (const id of ids.slice(-RECENT_RUNS)) {
    const run = await openRun(dataDir, id);
    for (const shard of run.shards) {
      for await (const { text, line } of linesOfShard(run, shard, "transcripts")) {
        const place = { path: shard.files.transcripts, line };
        const stored = readJson(StoredTranscript, text, place);
        if (!targets.has(stored.target.key)) continue;
        for (const ref of refsOf(stored)) known.set(ref.sha256, ref.run ?? id);
      }
    }
  }
  return known;
}

/** A body as it was found; `bytes` is undefined where a tombstone took them away. */
export interface FoundBody {
  readonly path: string;
  readonly line: number;
  readonly bytes: Uint8Array | undefined;
}

/**
 * Finds bodies of one run by digest, and checks that they have it. `wanted` says for each digest
 * whose it is, for the message of the `DataError`. The shard numbered `first` is searched first.
 */
export async function findBodies(
  run: StoredRun,
  wanted: ReadonlyMap<string, string>,
  first: number,
): Promise<ReadonlyMap<string, FoundBody>> {
  const found = new Map<string, FoundBody>();
  const rest = run.shards.filter(({ number }) => number !== first);
  for (const shard of [...run.shards.filter(({ number }) => number === first), ...rest]) {
    if (found.size === wanted.size) break;
    for await (const { digest, body } of bodiesOf(run, shard, wanted)) found.set(digest, body);
  }
  return found;
}

/** The bodies of a shard among those wanted (all of them by default), each checked by its digest. */
export async function* bodiesOf(
  run: StoredRun,
  shard: Shard,
  wanted?: ReadonlyMap<string, string>,
): AsyncIterable<{ digest: string; body: FoundBody }> {
  const path = shard.files.bodies;
  for await (const { text, line } of linesOfShard(run, shard, "bodies")) {
    const stored = readJson(StoredBody, text, { path, line });
    const [digest] = stored;
    if (wanted && !wanted.has(digest)) continue;
    const bytes = bytesOfBody(stored);
    if (bytes && sha256(bytes) !== digest) {
      const owner = wanted?.get(digest);
      const whose = owner === undefined ? "" : ` received from or sent to ${owner}`;
      throw new DataError(
        path,
        line,
        `the body${whose} has the digest ${sha256(bytes)}, not ${digest}`,
      );
    }
    yield { digest, body: { path, line, bytes } };
  }
}
