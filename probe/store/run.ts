/** Opens one stored run: its record, its files, the lines of a shard. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DataError } from "../errors.ts";
import { type Line, linesOf, sha256 } from "./encoding.ts";
import { readJson } from "./json.ts";
import { type Content, CONTENTS, logicalName, parseFileName, runFolder } from "./paths.ts";
import { RunRecord, ShardHeader } from "./schema.ts";

export interface StoredRun {
  readonly dataDir: string;
  readonly id: string;
  /** Path of its run.json. */
  readonly path: string;
  /** SHA-256 of its run.json. */
  readonly digest: string;
  readonly record: RunRecord;
  readonly shards: readonly Shard[];
}

export interface Shard {
  /** Counts from 1. */
  readonly number: number;
  /** Paths of its three files. */
  readonly files: Readonly<Record<Content, string>>;
}

/** Reads run.json and finds the files that it names; `DataError` when one is missing or too many. */
export async function openRun(dataDir: string, id: string): Promise<StoredRun> {
  const path = join(runFolder(dataDir, id), "run.json");
  const bytes = await readFile(path).catch(() => {
    throw new DataError(path, undefined, "is missing; a run folder without it is no run");
  });
  const record = readJson(RunRecord, bytes.toString("utf8"), { path });
  if (record.id !== id) throw new DataError(path, undefined, `says that it is run ${record.id}`);
  return {
    dataDir,
    id,
    path,
    digest: sha256(bytes),
    record,
    shards: shardsOf(record, await filesOf(dataDir, id), path),
  };
}

/** Paths of the files of a run, by logical name. */
async function filesOf(dataDir: string, id: string): Promise<Map<string, string>> {
  const folder = runFolder(dataDir, id);
  const files = new Map<string, string>();
  for (const entry of (await readdir(folder)).toSorted()) {
    if (entry === "run.json") continue;
    const path = join(folder, entry);
    const parsed = parseFileName(entry);
    if (!parsed) throw new DataError(path, undefined, "does not belong into a run");
    const name = logicalName(parsed.shard, parsed.content);
    if (files.has(name)) throw new DataError(path, undefined, `is a second ${name}`);
    files.set(name, path);
  }
  return files;
}

function shardsOf(record: RunRecord, files: Map<string, string>, path: string): readonly Shard[] {
  const shards = Array.from({ length: record.counts.shards }, (_, index) => index + 1);
  const expected = shards.flatMap((shard) => CONTENTS.map((name) => logicalName(shard, name)));
  const named = record.files.map(({ name }) => name);
  if (named.join() !== expected.join()) {
    throw new DataError(path, undefined, `names ${named.join(", ")}, not ${expected.join(", ")}`);
  }
  const missing = expected.find((name) => !files.has(name));
  if (missing) throw new DataError(path, undefined, `names ${missing}, which is not there`);
  const extra = [...files.keys()].find((name) => !expected.includes(name));
  if (extra) throw new DataError(files.get(extra)!, undefined, "is not named by run.json");
  return shards.map((number) => {
    const pathOf = (content: Content) => files.get(logicalName(number, content))!;
    return {
      number,
      files: {
        transcripts: pathOf("transcripts"),
        bodies: pathOf("bodies"),
        observations: pathOf("observations"),
      },
    };
  });
}

/** The header of one file of a shard. */
export async function headerOf(
  run: StoredRun,
  shard: Shard,
  content: Content,
): Promise<ShardHeader> {
  for await (const first of linesOf(shard.files[content])) {
    return parseHeader(run, shard, content, first);
  }
  throw new DataError(shard.files[content], 1, "has no header");
}

/** The lines of one file of a shard after its header, whose count must be right. */
export async function* linesOfShard(
  run: StoredRun,
  shard: Shard,
  content: Content,
): AsyncIterable<Line> {
  const path = shard.files[content];
  let count: number | undefined;
  let last = 0;
  for await (const line of linesOf(path)) {
    if (count === undefined) count = parseHeader(run, shard, content, line).counts[content];
    else yield line;
    last = line.line;
  }
  if (count === undefined) throw new DataError(path, 1, "has no header");
  if (last - 1 === count) return;
  throw new DataError(path, last, `${last - 1} lines follow the header, which promises ${count}`);
}

function parseHeader(
  run: StoredRun,
  shard: Shard,
  content: Content,
  { text, line }: Line,
): ShardHeader {
  const path = shard.files[content];
  const header = readJson(ShardHeader, text, { path, line });
  if (header.run === run.id && header.shard === shard.number) return header;
  throw new DataError(path, line, `belongs to shard ${header.shard} of run ${header.run}`);
}
