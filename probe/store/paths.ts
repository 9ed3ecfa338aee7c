/** Where things are in a data folder, and how they are named. */
import { statSync } from "node:fs";
import { join } from "node:path";
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

/** A data folder that must exist; `UsageError` when it does not. */
export function dataFolder(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  throw new UsageError(`${path} is no data folder. Name one with --data, or make one: npm start.`);
}
