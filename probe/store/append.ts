/**
 * Adds a run to a data folder, whole or not at all. The run is checked, written beside the others
 * under a hidden name, and renamed into place as the last step; readers never see half of it.
 */
import { mkdir, mkdtemp, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DataError, UsageError } from "../errors.ts";
import { Observation } from "../observation.ts";
import type { Transcript } from "../transcript/schema.ts";
import { BodyPack, knownBodies } from "./bodies.ts";
import { previousOf } from "./chain.ts";
import { encodeTranscript, storedBody } from "./codec.ts";
import { compress, sha256 } from "./encoding.ts";
import { jsonFile, jsonLine } from "./json.ts";
import { CONTENTS, type Extension, logicalName, runFolder, runId, type RunName } from "./paths.ts";
import { runIds } from "./read.ts";
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

/** A run that is not stored yet. */
export interface NewRun
  extends
    RunName,
    Pick<RunRecord, "endedAt" | "probe" | "rules" | "list" | "region" | "plan" | "skips"> {
  readonly shards: readonly NewShard[];
}

/** What one machine brought home. */
export interface NewShard {
  /** Every attempt at its targets, in any order. */
  readonly transcripts: readonly Transcript[];
  readonly observations: readonly Observation[];
  readonly control: readonly Control[];
}

/** A file of a run before it is compressed. */
interface Plain {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * Stores a run and returns its id. `UsageError` when the run exists already, `DataError` when what
 * it holds does not fit the schemas or itself; then nothing is written.
 */
export async function appendRun(
  dataDir: string,
  run: NewRun,
  extension: Extension = ".jsonl.zst",
): Promise<string> {
  const id = runId(run);
  const folder = runFolder(dataDir, id);
  if (await exists(folder)) throw alreadyThere(id);
  const ids = await runIds(dataDir);
  const { files, counts } = await contentsOf(dataDir, ids, id, run);
  const record: RunRecord = {
    format: RUN_FORMAT,
    id,
    kind: run.kind,
    startedAt: run.startedAt,
    endedAt: run.endedAt,
    probe: run.probe,
    rules: run.rules,
    list: run.list,
    region: run.region,
    plan: run.plan.toSorted(),
    skips: run.skips.toSorted((a, b) => compare(a.target, b.target)),
    counts,
    files: files.map(({ name, bytes }) => ({
      name,
      bytes: bytes.length,
      sha256: sha256(bytes),
    })),
    previous: await previousOf(dataDir, ids, id),
  };
  const runJson = jsonFile(RunRecord, record, { path: join(folder, "run.json") });
  await seal(dataDir, folder, [
    ...files.map(({ name, bytes }) => ({
      name: `${name}${extension}`,
      bytes: compress(bytes, extension),
    })),
    { name: "run.json", bytes: Buffer.from(runJson) },
  ]).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOTEMPTY" || error.code === "EEXIST" ? alreadyThere(id) : error;
  });
  return id;
}

const alreadyThere = (id: string) =>
  new UsageError(`Run ${id} is stored already, and runs are never rewritten.`);

/** All files of a run but run.json, checked. */
async function contentsOf(
  dataDir: string,
  ids: readonly string[],
  id: string,
  { shards }: NewRun,
): Promise<{ files: readonly Plain[]; counts: RunRecord["counts"] }> {
  const targets = new Set(shards.flatMap(({ transcripts }) => transcripts.map(targetOf)));
  const known = await knownBodies(dataDir, ids, targets);
  const counts = { shards: shards.length, transcripts: 0, bodies: 0, observations: 0 };
  const seen = new Set<string>();
  const files: Plain[] = [];
  for (const [index, shard] of shards.entries()) {
    const number = index + 1;
    const path = (content: (typeof CONTENTS)[number]) =>
      join(runFolder(dataDir, id), logicalName(number, content));
    const subjects = shard.observations.map(subjectOf);
    checkSubjects(path("observations"), shard, subjects, seen);

    const pack = new BodyPack(known);
    const lines = {
      transcripts: shard.transcripts.toSorted(byTargetAndAttempt).map((transcript, line) => {
        const stored = encodeTranscript(transcript, pack.keep);
        return jsonLine(StoredTranscript, stored, { path: path("transcripts"), line: line + 2 });
      }),
      bodies: [...pack.bodies].map(([digest, bytes], line) =>
        jsonLine(StoredBody, storedBody(digest, bytes), { path: path("bodies"), line: line + 2 }),
      ),
      observations: shard.observations
        .toSorted(byTarget)
        .map((observation, line) =>
          jsonLine(Observation, observation, { path: path("observations"), line: line + 2 }),
        ),
    };
    const header: ShardHeader = {
      format: SHARD_FORMAT,
      run: id,
      shard: number,
      counts: {
        transcripts: lines.transcripts.length,
        bodies: lines.bodies.length,
        observations: lines.observations.length,
      },
      control: [...shard.control],
    };
    for (const content of CONTENTS) {
      counts[content] += lines[content].length;
      const first = jsonLine(ShardHeader, header, { path: path(content), line: 1 });
      const bytes = Buffer.concat([first, ...lines[content]].map((line) => Buffer.from(line)));
      files.push({ name: logicalName(number, content), bytes });
    }
  }
  return { files, counts };
}

/** Each subject of a shard is observed once, and by the attempts that are on record. */
function checkSubjects(
  path: string,
  { transcripts, observations }: NewShard,
  subjects: readonly string[],
  seen: Set<string>,
): void {
  const complain = (problem: string): never => {
    throw new DataError(path, undefined, problem);
  };
  if (subjects.length > SHARD_TARGETS) {
    complain(`${subjects.length} targets are too many for one shard; ${SHARD_TARGETS} fit`);
  }
  const attempts = Map.groupBy(transcripts, (transcript) =>
    subjectOf({ listing: transcript.listing, target: targetOf(transcript) }),
  );
  for (const [index, observation] of observations.entries()) {
    const subject = subjects[index]!;
    if (seen.has(subject)) complain(`${observation.target} is observed twice in one run`);
    seen.add(subject);
    const recorded = (attempts.get(subject) ?? []).map(({ attempt }) => attempt).toSorted();
    const observed = observation.attempts.map(({ attempt }) => attempt).toSorted();
    if (recorded.join() !== observed.join()) {
      complain(`${observation.target} is observed by attempts ${observed}, recorded: ${recorded}`);
    }
    attempts.delete(subject);
  }
  const [left] = attempts.values();
  if (left) complain(`${targetOf(left[0]!)} has transcripts and no observation`);
}

/** Writes files into a hidden folder beside the runs and gives it its name at the very end. */
async function seal(dataDir: string, folder: string, files: readonly Plain[]): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const incoming = await mkdtemp(join(dataDir, ".incoming-"));
  try {
    for (const { name, bytes } of files) {
      const file = await open(join(incoming, name), "wx");
      await file.writeFile(bytes);
      await file.sync();
      await file.close();
    }
    await syncFolder(incoming);
    await rename(incoming, folder);
  } catch (error) {
    await rm(incoming, { recursive: true, force: true });
    throw error;
  }
  await syncFolder(dirname(folder));
}

/** Makes the names in a folder survive a power cut. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  await folder.sync();
  await folder.close();
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

const targetOf = ({ target }: Transcript): string => target.key;

/** What an observation is about; no listing's name holds a space. */
const subjectOf = ({ listing, target }: Pick<Observation, "listing" | "target">): string =>
  `${listing ?? ""} ${target}`;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function byTarget(a: Observation, b: Observation): number {
  return compare(a.target, b.target) || compare(a.listing ?? "", b.listing ?? "");
}

function byTargetAndAttempt(a: Transcript, b: Transcript): number {
  return (
    compare(targetOf(a), targetOf(b)) ||
    compare(a.listing ?? "", b.listing ?? "") ||
    a.attempt - b.attempt
  );
}
