/** Where things are in a data folder, and how they are named. */
import { readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { UsageError } from "../errors.ts";
import type { RunKind } from "../transcript/schema.ts";

const RUN_ID =
  /^(\d{4})\/(\d{2})\/(\d{2})\/(\d{2})(\d{2})Z-(full|liveness|rerun)-([a-z0-9]+(?:-[a-z0-9]+)*)$/;

export interface RunName {
  readonly kind: RunKind;
  /** ISO 8601 in UTC; the id keeps its minute. */
  readonly startedAt: string;
  /** Tells apart the runs of one minute: lower-case letters, digits and single hyphens. */
  readonly name: string;
}

/** `YYYY/MM/DD/HHMMZ-kind-name`; `UsageError` when the name or the time does not fit. */
export function runId({ kind, startedAt, name }: RunName): string {
  const day = startedAt.slice(0, 10).replaceAll("-", "/");
  const id = `${day}/${startedAt.slice(11, 16).replace(":", "")}Z-${kind}-${name}`;
  if (parseRunId(id)) return id;
  throw new UsageError(`"${id}" is no run id: a name is made of a-z, 0-9 and single hyphens.`);
}

/** The parts of a run id; undefined when it is none, also for a day that no calendar has. */
export function parseRunId(id: string): RunName | undefined {
  const [, year, month, day, hour, minute, kind, name] = RUN_ID.exec(id) ?? [];
  if (kind === undefined || name === undefined) return undefined;
  const startedAt = `${year}-${month}-${day}T${hour}:${minute}:00.000Z`;
  const time = Date.parse(startedAt);
  if (Number.isNaN(time) || new Date(time).toISOString() !== startedAt) return undefined;
  return { kind: kind as RunKind, startedAt, name };
}

/** The three files of a shard. */
export const CONTENTS = ["transcripts", "bodies", "observations"] as const;
export type Content = (typeof CONTENTS)[number];

/** How a file is compressed; its extension says so. */
export const EXTENSIONS = [".jsonl.zst", ".jsonl", ".jsonl.gz"] as const;
export type Extension = (typeof EXTENSIONS)[number];

const SHARD_FILE = /^(\d{2})\.(transcripts|bodies|observations)(\.jsonl(?:\.zst|\.gz)?)$/;

export interface ShardFile {
  /** Counts from 1. */
  readonly shard: number;
  readonly content: Content;
  readonly extension: Extension;
}

/** `01.bodies`: what run.json calls a file, whichever way it is compressed. */
export function logicalName(shard: number, content: Content): string {
  return `${String(shard).padStart(2, "0")}.${content}`;
}

/** The parts of a shard's file name; undefined when it is none. */
export function parseFileName(file: string): ShardFile | undefined {
  const [, shard, content, extension] = SHARD_FILE.exec(file) ?? [];
  if (shard === undefined || shard === "00") return undefined;
  return {
    shard: Number(shard),
    content: content as Content,
    extension: extension as Extension,
  };
}

export const runsFolder = (dataDir: string): string => join(dataDir, "runs");
export const runFolder = (dataDir: string, id: string): string => join(dataDir, "runs", id);
export const listingsFolder = (dataDir: string): string => join(dataDir, "listings");
export const tombstonesFolder = (dataDir: string): string => join(dataDir, "tombstones");

/** A data folder that must exist; `UsageError` when it does not, or is a folder of something else. */
export function dataFolder(path: string): string {
  if (holdsData(path)) return path;
  throw new UsageError(
    `${path} is no data folder: it holds neither listings/ nor runs/. Name one with --data, or make one: npm start.`,
  );
}

/**
 * A folder that data may be added to: one that holds data, is empty or is not there yet. `UsageError`
 * for any other, and for `kept` and all below it, whichever way it is written.
 */
export function newDataFolder(path: string, kept: string): string {
  const folder = realPath(resolve(path));
  const below = relative(realPath(kept), folder);
  if (below !== ".." && !below.startsWith(`..${sep}`)) {
    throw new UsageError(
      `${path} is in ${kept}, which holds real runs; a demo does not belong there. Name another folder.`,
    );
  }
  if (holdsData(folder) || isEmpty(folder)) return folder;
  throw new UsageError(
    `${path} is no data folder: it holds neither listings/ nor runs/, but something else. Name an empty or a new folder with --data.`,
  );
}

const holdsData = (path: string): boolean =>
  [listingsFolder(path), runsFolder(path)].some((folder) => kindOf(folder) === "folder");

function isEmpty(path: string): boolean {
  const kind = kindOf(path);
  return kind === undefined || (kind === "folder" && readdirSync(path).length === 0);
}

function kindOf(path: string): "folder" | "file" | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && (found.isDirectory() ? "folder" : "file");
}

/** A path without links; the last parts of it may be still to be made. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if ((error as { code?: string }).code !== "ENOENT") throw error;
    return join(realPath(dirname(path)), basename(path));
  }
}
