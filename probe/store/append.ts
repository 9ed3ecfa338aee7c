/**
 * Adds a run to a data folder: checked first, written beside, then renamed into place. Runs are
 * sealed: nothing here changes or removes a run that exists.
 */
import { chmod, mkdir, mkdtemp, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { UsageError } from "../errors.ts";
import { Observation } from "../observation.ts";
import type { RunKind, Transcript } from "../transcript/schema.ts";
import { encodeTranscript, refsOf, storedBody } from "./codec.ts";
import { compress, sha256 } from "./encoding.ts";
import { jsonFile, jsonLine } from "./json.ts";
import { type Content, CONTENTS, type Extension, logicalName, runFolder, runId } from "./paths.ts";
import { readRuns, readStored, type StoredRun } from "./read.ts";
import {
  type Control,
  RUN_FORMAT,
  RunRecord,
  SHARD_FORMAT,
  SHARD_TARGETS,
  ShardHeader,
  StoredBody,
  StoredTranscript,
} from "./schema.ts";

export interface NewShard {
  readonly transcripts: readonly Transcript[];
  readonly observations: readonly Observation[];
  readonly control: readonly Control[];
}

export interface NewRun extends Pick<
  RunRecord,
  "kind" | "startedAt" | "endedAt" | "probe" | "rules" | "list" | "region" | "plan" | "skips"
> {
  readonly kind: RunKind;
  /** Tells apart the runs of one minute. */
  readonly name: string;
  readonly shards: readonly NewShard[];
}

/** How far back bodies are looked for; beyond it they are merely stored twice. */
const RUNS_LOOKED_BACK = 12;
const INCOMING = ".incoming-";

/** Adds a run and returns its id. Throws a UsageError when it exists, a DataError when it is unfit. */
export async function appendRun(
  dataDir: string,
  run: NewRun,
  extension: Extension = ".jsonl.zst",
): Promise<string> {
  const id = runId(run);
  const folder = runFolder(dataDir, id);
  if (await exists(folder)) throw alreadyThere(folder);
  const earlier: StoredRun[] = [];
  for await (const each of readRuns(dataDir)) earlier.push(each);
  const known = await knownBodies(earlier.slice(-RUNS_LOOKED_BACK), run);
  const shards = run.shards.map((shard, index) => shardFiles(id, index + 1, shard, known, folder));
  const files = shards.flat();
  const record = recordOf(id, run, shards, headOf(earlier));

  await removeLeftovers(dataDir);
  const beside = await mkdtemp(join(dataDir, INCOMING));
  try {
    for (const { name, bytes } of files) {
      await writeSynced(join(beside, name + extension), compress(bytes, extension));
    }
    const path = join(beside, "run.json");
    await writeSynced(path, Buffer.from(jsonFile(RunRecord, record, { path })));
    await mkdir(dirname(folder), { recursive: true });
    await chmod(beside, 0o755);
    // The step that makes the run exist, whole or not at all.
    await rename(beside, folder).catch((error: Error & { code?: string }) => {
      throw error.code === "ENOTEMPTY" || error.code === "EEXIST" ? alreadyThere(folder) : error;
    });
    await syncFolder(dirname(folder));
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
  return id;
}

interface File {
  readonly name: string;
  readonly content: Content;
  readonly bytes: Buffer;
  /** Lines behind the header. */
  readonly lines: number;
}

function shardFiles(
  run: string,
  shard: number,
  { transcripts, observations, control }: NewShard,
  known: Map<string, string>,
  folder: string,
): readonly File[] {
  if (observations.length > SHARD_TARGETS) {
    throw new UsageError(`A shard holds at most ${SHARD_TARGETS} targets; plan more shards.`);
  }
  checkMatch(transcripts, observations);
  const place = (content: Content) => ({ path: join(folder, logicalName(shard, content)) });
  const bodies: string[] = [];
  const keep = (digest: string, bytes: Uint8Array): string => {
    const at = known.get(digest);
    if (at === undefined) {
      known.set(digest, run);
      bodies.push(jsonLine(StoredBody, storedBody(digest, bytes), place("bodies")));
    }
    return at === undefined || at === run ? digest : `${digest}@${at}`;
  };
  const lines: Record<Content, readonly string[]> = {
    transcripts: sorted(transcripts, ({ target, listing, attempt }) => [
      target.key,
      listing ?? "",
      String(attempt),
    ]).map((each) =>
      jsonLine(StoredTranscript, encodeTranscript(each, keep), place("transcripts")),
    ),
    bodies,
    observations: sorted(observations, ({ target, listing }) => [target, listing ?? ""]).map(
      (each) => jsonLine(Observation, each, place("observations")),
    ),
  };
  const header = jsonLine(
    ShardHeader,
    {
      format: SHARD_FORMAT,
      run,
      shard,
      counts: {
        transcripts: lines.transcripts.length,
        bodies: lines.bodies.length,
        observations: lines.observations.length,
      },
      control: [...control],
    },
    place("transcripts"),
  );
  return CONTENTS.map((content) => ({
    name: logicalName(shard, content),
    content,
    bytes: Buffer.from([header, ...lines[content]].join("")),
    lines: lines[content].length,
  }));
}

/** Every observation rests on transcripts, and every transcript is observed, once. */
function checkMatch(
  transcripts: readonly Transcript[],
  observations: readonly Observation[],
): void {
  const keyOf = (listing: string | null, target: string) => `${listing} ${target}`;
  const observed = observations.map(({ listing, target }) => keyOf(listing, target));
  const said = new Set(transcripts.map(({ listing, target }) => keyOf(listing, target.key)));
  const both = new Set([...said, ...observed]);
  if (observed.length !== said.size || both.size !== said.size) {
    throw new Error("The transcripts and the observations of a shard are of different targets.");
  }
}

function recordOf(
  id: string,
  run: NewRun,
  shards: readonly (readonly File[])[],
  previous: string | null,
): RunRecord {
  const files = shards.flat();
  const count = (content: Content) =>
    files.filter((file) => file.content === content).reduce((sum, { lines }) => sum + lines, 0);
  const { kind, startedAt, endedAt, probe, rules, list, region, plan, skips } = run;
  return {
    format: RUN_FORMAT,
    id,
    ...{ kind, startedAt, endedAt, probe, rules, list, region },
    plan: [...plan],
    skips: [...skips],
    counts: {
      shards: shards.length,
      transcripts: count("transcripts"),
      bodies: count("bodies"),
      observations: count("observations"),
    },
    files: files.map(({ name, bytes }) => ({ name, bytes: bytes.length, sha256: sha256(bytes) })),
    previous,
  };
}

/** Bodies that the given runs hold for the targets of a new one: digest to run. */
async function knownBodies(
  runs: readonly StoredRun[],
  { shards }: NewRun,
): Promise<Map<string, string>> {
  const targets = new Set(
    shards.flatMap(({ transcripts }) => transcripts.map(({ target }) => target.key)),
  );
  const known = new Map<string, string>();
  for (const run of runs) {
    for await (const { value } of readStored(run)) {
      if (!targets.has(value.target.key)) continue;
      for (const ref of refsOf(value)) known.set(ref.sha256, ref.run ?? run.id);
    }
  }
  return known;
}

/** The digest of the run that no other names as its previous one; null before the first. */
function headOf(runs: readonly StoredRun[]): string | null {
  const previous = new Set(runs.map(({ record }) => record.previous));
  const heads = runs.filter(({ digest }) => !previous.has(digest));
  if (heads.length > 1) {
    const ids = heads.map(({ id }) => id).join(", ");
    throw new UsageError(
      `The chain of runs has ${heads.length} ends: ${ids}. Run "npm run replay".`,
    );
  }
  return heads[0]?.digest ?? null;
}

/** Sorted by the texts that a key names, in code unit order. */
function sorted<T>(items: readonly T[], key: (item: T) => readonly string[]): readonly T[] {
  const keyed = items.map((item) => ({ item, key: key(item).join("\u0000") }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ item }) => item);
}

/** What a writer that was killed left beside; there is one writer, so nobody needs it. */
async function removeLeftovers(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  for (const name of await readdir(dataDir)) {
    if (name.startsWith(INCOMING)) await rm(join(dataDir, name), { recursive: true, force: true });
  }
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "wx");
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes a rename last through a power cut. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function alreadyThere(folder: string): UsageError {
  return new UsageError(
    `Cannot append ${folder}: the folder exists. Runs are never rewritten; start a new one.`,
  );
}
