/**
 * Reads what runs stored, run by run and line by line: nothing here holds a whole history. Every body
 * is checked against its digest on the way.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { z } from "zod";
import type { Control } from "../control/control.ts";
import { DataError } from "../errors.ts";
import { Observation } from "../observation.ts";
import type { Transcript } from "../transcript/schema.ts";
import { bytesOfBody, decodeTranscript, type Ref, refsOf } from "./codec.ts";
import { linesOf, sha256 } from "./encoding.ts";
import { exists, filesIn, foldersIn } from "./folders.ts";
import { readJson } from "./json.ts";
import {
  type Content,
  CONTENTS,
  EXTENSIONS,
  logicalName,
  parseRunId,
  runFolder,
  runsFolder,
  tombstonesFolder,
} from "./paths.ts";
import { RunRecord, ShardHeader, StoredBody, StoredTranscript, Tombstone } from "./schema.ts";

/** A run on disk. */
export interface StoredRun {
  readonly id: string;
  readonly dataDir: string;
  readonly record: RunRecord;
  /** SHA-256 of run.json. */
  readonly digest: string;
}

/** Something read, and where it stands. */
export interface Placed<T> {
  readonly value: T;
  readonly path: string;
  readonly line: number;
  /** The line's text. */
  readonly text: string;
}

/** Ids of all runs, oldest first by their start. */
export async function runIds(dataDir: string): Promise<readonly string[]> {
  const root = runsFolder(dataDir);
  const ids: string[] = [];
  for (const year of await foldersIn(root)) {
    for (const month of await foldersIn(join(root, year))) {
      for (const day of await foldersIn(join(root, year, month))) {
        for (const run of await foldersIn(join(root, year, month, day))) {
          const id = `${year}/${month}/${day}/${run}`;
          if (!parseRunId(id)) {
            throw new DataError(join(root, id), undefined, "is no name of a run");
          }
          ids.push(id);
        }
      }
    }
  }
  return ids;
}

/** All runs, oldest first. */
export async function* readRuns(dataDir: string): AsyncIterable<StoredRun> {
  for (const id of await runIds(dataDir)) yield readRun(dataDir, id);
}

export async function readRun(dataDir: string, id: string): Promise<StoredRun> {
  const path = join(runFolder(dataDir, id), "run.json");
  const text = await readFile(path, "utf8").catch((error: Error) => {
    throw new DataError(path, undefined, `cannot be read: ${error.message}`);
  });
  const record = readJson(RunRecord, text, { path });
  if (record.id !== id) throw new DataError(path, undefined, `is of run ${record.id}`);
  return { id, dataDir, record, digest: sha256(text) };
}

/** Every observation of a run, shard by shard. */
export async function* readObservations(run: StoredRun): AsyncIterable<Placed<Observation>> {
  for (const shard of shardsOf(run)) yield* readLines(run, shard, "observations", Observation);
}

/** What each shard of a run says about our own side. Its three files must say the same. */
export async function readControls(
  run: StoredRun,
): Promise<ReadonlyMap<number, readonly Control[]>> {
  const controls = new Map<number, readonly Control[]>();
  for (const shard of shardsOf(run)) {
    const texts = new Set<string>();
    for (const content of CONTENTS) {
      const path = await shardFile(run, shard, content);
      const text = await firstLineOf(path);
      if (texts.add(text).size > 1) {
        throw new DataError(path, 1, "differs from the header of the shard's other files");
      }
      controls.set(shard, readJson(ShardHeader, text, { path, line: 1 }).control);
    }
  }
  return controls;
}

/** Every transcript of a run as it is stored, bodies left as references. */
export async function* readStored(run: StoredRun): AsyncIterable<Placed<StoredTranscript>> {
  for (const shard of shardsOf(run)) yield* readLines(run, shard, "transcripts", StoredTranscript);
}

/** Every body that a run stores; null in place of bytes that a tombstone took away. */
export async function* readBodies(run: StoredRun): AsyncIterable<Placed<StoredBody>> {
  for (const shard of shardsOf(run)) yield* readLines(run, shard, "bodies", StoredBody);
}

export interface ReadTranscript extends Omit<Placed<Transcript>, "value"> {
  readonly target: string;
  readonly listing: string | null;
  /** As it was recorded; null when bodies of it are withheld. */
  readonly value: Transcript | null;
  /** Digests of the bodies that tombstones withhold. */
  readonly withheld: readonly string[];
}

/**
 * The transcripts of a run, or of some targets in it. `DataError` names the file and line of a body
 * that is missing or is not what its digest says.
 */
export async function* readTranscripts(
  run: StoredRun,
  targets?: ReadonlySet<string>,
): AsyncIterable<ReadTranscript> {
  const bodies = new BodyReader(run);
  const tombstones = await readTombstones(run.dataDir);
  for await (const { value: stored, path, line, text } of readStored(run)) {
    const target = stored.target.key;
    if (targets && !targets.has(target)) continue;
    const found = new Map<string, Uint8Array<ArrayBuffer>>();
    const withheld: string[] = [];
    for (const ref of refsOf(stored)) {
      // Also while the bytes are still there: from the decision on nobody is shown them.
      if (tombstones.has(ref.sha256)) withheld.push(ref.sha256);
      else found.set(ref.sha256, await bodies.find(ref, target));
    }
    const complain = (problem: string): never => {
      throw new DataError(path, line, `${target}: ${problem}`);
    };
    const value =
      withheld.length > 0
        ? null
        : decodeTranscript(stored, (ref) => found.get(ref.sha256)!, complain);
    yield { target, listing: stored.listing, value, path, line, text, withheld };
  }
}

/** Finds bodies by reference; keeps those of the run being read, and of earlier ones it leads to. */
class BodyReader {
  readonly #run: StoredRun;
  readonly #loaded = new Map<string, Promise<ReadonlyMap<string, Uint8Array<ArrayBuffer>>>>();

  constructor(run: StoredRun) {
    this.#run = run;
  }

  async find({ sha256: digest, run }: Ref, target: string): Promise<Uint8Array<ArrayBuffer>> {
    const id = run ?? this.#run.id;
    const bodies = this.#loaded.get(id) ?? this.#load(id);
    this.#loaded.set(id, bodies);
    const bytes = (await bodies).get(digest);
    if (bytes) return bytes;
    const path = runFolder(this.#run.dataDir, id);
    throw new DataError(path, undefined, `holds no body ${digest}, which ${target} refers to`);
  }

  async #load(id: string): Promise<ReadonlyMap<string, Uint8Array<ArrayBuffer>>> {
    const bodies = new Map<string, Uint8Array<ArrayBuffer>>();
    const run = id === this.#run.id ? this.#run : await readRun(this.#run.dataDir, id);
    for await (const { value, path, line } of readBodies(run)) {
      const bytes = bytesOfBody(value);
      if (!bytes) continue;
      const found = sha256(bytes);
      if (found !== value[0]) {
        throw new DataError(path, line, `body ${value[0]} was changed: its digest is ${found}`);
      }
      bodies.set(found, bytes);
    }
    return bodies;
  }
}

/** Digests of the bodies that must not be shown any more. */
export async function readTombstones(dataDir: string): Promise<ReadonlySet<string>> {
  const folder = tombstonesFolder(dataDir);
  const digests = new Set<string>();
  for (const file of await filesIn(folder)) {
    if (!file.endsWith(".json")) continue;
    const path = join(folder, file);
    const { sha256: digest } = readJson(Tombstone, await readFile(path, "utf8"), { path });
    if (file !== `${digest}.json`) {
      throw new DataError(path, undefined, `is of ${digest}; digest and name must agree`);
    }
    digests.add(digest);
  }
  return digests;
}

/** Numbers of a run's shards, from 1. */
export function shardsOf({ record }: StoredRun): readonly number[] {
  return Array.from({ length: record.counts.shards }, (_, index) => index + 1);
}

/** The file of a shard, whichever way it is compressed. */
export async function shardFile(run: StoredRun, shard: number, content: Content): Promise<string> {
  const base = join(runFolder(run.dataDir, run.id), logicalName(shard, content));
  for (const extension of EXTENSIONS) {
    const path = base + extension;
    if (await exists(path)) return path;
  }
  throw new DataError(base, undefined, `is missing (looked for ${EXTENSIONS.join(", ")})`);
}

async function firstLineOf(path: string): Promise<string> {
  for await (const { text } of linesOf(path)) return text;
  throw new DataError(path, undefined, "is empty");
}

/** The lines of one file behind its header, each checked against its schema. */
async function* readLines<T>(
  run: StoredRun,
  shard: number,
  content: Content,
  schema: z.ZodType<T>,
): AsyncIterable<Placed<T>> {
  const path = await shardFile(run, shard, content);
  let header: ShardHeader | undefined;
  let count = 0;
  for await (const { line, text } of linesOf(path)) {
    if (!header) {
      header = readJson(ShardHeader, text, { path, line });
      if (header.run !== run.id || header.shard !== shard) {
        throw new DataError(path, line, `is of run ${header.run}, shard ${header.shard}`);
      }
      continue;
    }
    count += 1;
    yield { value: readJson(schema, text, { path, line }), path, line, text };
  }
  const expected = header?.counts[content];
  if (count !== expected) {
    throw new DataError(path, undefined, `has ${count} lines behind its header, not ${expected}`);
  }
}
