/**
 * Adds a run to a data folder: checked first, written beside, then renamed into place. Runs are
 * sealed: nothing here changes or removes a run that exists.
 */
import { chmod, mkdtemp, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { UsageError } from "../errors.ts";
import { refsOf } from "./codec.ts";
import { compress, sha256 } from "./encoding.ts";
import { exists, makeFolder } from "./folders.ts";
import { jsonFile } from "./json.ts";
import { isRunning, takeLock } from "./lock.ts";
import { type Content, type Extension, runFolder, runId } from "./paths.ts";
import { readRuns, readStored, type StoredRun } from "./read.ts";
import { RUN_FORMAT, RunRecord } from "./schema.ts";
import { type File, type NewShard, shardFiles } from "./shard.ts";

export interface NewRun extends Pick<
  RunRecord,
  | "kind"
  | "startedAt"
  | "endedAt"
  | "probe"
  | "rules"
  | "list"
  | "region"
  | "judges"
  | "plan"
  | "skips"
> {
  /** Tells apart the runs of one minute. */
  readonly name: string;
  readonly shards: readonly NewShard[];
}

/** How far back bodies are looked for; beyond it they are merely stored twice. */
const RUNS_LOOKED_BACK = 12;
const INCOMING = ".incoming-";
const LOCK = ".lock";
/** How long another writer may take, in milliseconds. */
const PATIENCE = 60_000;

/**
 * Adds a run and returns its id. Throws a UsageError when it exists, a DataError when it is unfit. One
 * writer at a time: two would both follow the same run, and fork the chain.
 */
export async function appendRun(
  dataDir: string,
  run: NewRun,
  extension: Extension = ".jsonl.zst",
  patience: number = PATIENCE,
): Promise<string> {
  const id = runId(run);
  const release = await takeLock({
    path: join(dataDir, LOCK),
    patience,
    held: `Another command adds a run to ${dataDir}`,
  });
  try {
    return await append(dataDir, id, run, extension);
  } finally {
    await release();
  }
}

async function append(
  dataDir: string,
  id: string,
  run: NewRun,
  extension: Extension,
): Promise<string> {
  const folder = runFolder(dataDir, id);
  if (await exists(folder)) throw alreadyThere(folder);
  const earlier: StoredRun[] = [];
  for await (const each of readRuns(dataDir)) earlier.push(each);
  const known = await knownBodies(earlier.slice(-RUNS_LOOKED_BACK), run);
  const shards = run.shards.map((shard, index) => shardFiles(id, index + 1, shard, known, folder));
  const files = shards.flat();
  const record = recordOf(id, run, shards, headOf(earlier));

  await removeLeftovers(dataDir);
  const beside = await mkdtemp(join(dataDir, `${INCOMING}${process.pid}-`));
  try {
    for (const { name, bytes } of files) {
      await writeSynced(join(beside, name + extension), compress(bytes, extension));
    }
    const path = join(beside, "run.json");
    await writeSynced(path, Buffer.from(jsonFile(RunRecord, record, { path })));
    await makeFolder(dirname(folder));
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

function recordOf(
  id: string,
  run: NewRun,
  shards: readonly (readonly File[])[],
  previous: string | null,
): RunRecord {
  const files = shards.flat();
  const count = (content: Content) =>
    files.filter((file) => file.content === content).reduce((sum, { lines }) => sum + lines, 0);
  const { kind, startedAt, endedAt, probe, rules, list, region, judges, plan, skips } = run;
  return {
    format: RUN_FORMAT,
    id,
    ...{ kind, startedAt, endedAt, probe, rules, list, region, judges },
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

/** What writers that were killed left beside. Those that still run are left alone. */
async function removeLeftovers(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const writer = name.startsWith(INCOMING) && Number.parseInt(name.slice(INCOMING.length), 10);
    if (writer === false || isRunning(writer)) continue;
    await rm(join(dataDir, name), { recursive: true, force: true });
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

function alreadyThere(folder: string): UsageError {
  return new UsageError(
    `Cannot append ${folder}: the folder exists. Runs are never rewritten; start a new one.`,
  );
}
