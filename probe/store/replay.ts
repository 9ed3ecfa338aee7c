/**
 * Derives everything stored again from the bytes that servers sent, and compares. Stops at the first
 * difference with a `DataError` that names its place. Needs no network, no clock and no server.
 */
import { DataError } from "../errors.ts";
import { Observation } from "../observation.ts";
import type { Transcript } from "../transcript/schema.ts";
import { bytesOfBody } from "./codec.ts";
import { digestOf, sha256 } from "./encoding.ts";
import { jsonLine } from "./json.ts";
import { parseFileName } from "./paths.ts";
import {
  type Placed,
  readBodies,
  readObservations,
  readRuns,
  readTranscripts,
  shardFile,
  type StoredRun,
} from "./read.ts";

/** What `observe` of evaluate.ts is, with its checks and facts. */
export type Observe = (
  attempts: readonly Transcript[],
  control: Observation["attempts"][number]["control"],
) => Observation;

export interface Replayed {
  readonly runs: number;
  readonly observations: number;
  readonly bodies: number;
  /** Bytes of all files, uncompressed. */
  readonly bytes: number;
  /** Observations that cannot be derived again because bodies of theirs are withheld. */
  readonly withheld: number;
}

/** Replays every run of a data folder. */
export async function replay(dataDir: string, observe: Observe): Promise<Replayed> {
  const total = { runs: 0, observations: 0, bodies: 0, bytes: 0, withheld: 0 };
  const runs: StoredRun[] = [];
  for await (const run of readRuns(dataDir)) {
    runs.push(run);
    total.runs += 1;
    total.bodies += await checkBodies(run);
    const { observations, withheld } = await replayRun(run, observe);
    total.observations += observations;
    total.withheld += withheld;
    total.bytes += await checkFiles(run);
  }
  checkChain(runs);
  return total;
}

/** Every body is what its digest says, whether or not a transcript refers to it. */
async function checkBodies(run: StoredRun): Promise<number> {
  let count = 0;
  for await (const { value, path, line } of readBodies(run)) {
    const bytes = bytesOfBody(value);
    const found = bytes && sha256(bytes);
    if (found !== undefined && found !== value[0]) {
      throw new DataError(path, line, `body ${value[0]} was changed: its digest is ${found}`);
    }
    count += 1;
  }
  return count;
}

async function replayRun(run: StoredRun, observe: Observe) {
  const stored = readObservations(run)[Symbol.asyncIterator]();
  let [observations, withheld] = [0, 0];
  for await (const group of byObservation(run)) {
    const next = await stored.next();
    if (next.done) {
      throw new DataError(group.path, group.line, `${group.target} has no stored observation`);
    }
    observations += 1;
    if (group.attempts) compare(next.value, observe(group.attempts, controlOf(next.value)));
    else withheld += 1;
  }
  const extra = await stored.next();
  if (!extra.done) {
    const { path, line, value } = extra.value;
    throw new DataError(path, line, `${value.target} is observed, but no transcript of it is left`);
  }
  return { observations, withheld };
}

interface Group {
  readonly target: string;
  readonly path: string;
  readonly line: number;
  /** Null when bodies of an attempt are withheld. */
  readonly attempts: readonly Transcript[] | null;
}

/** The attempts at one target of one listing follow each other in a run's transcripts. */
async function* byObservation(run: StoredRun): AsyncIterable<Group> {
  let open: { key: string; group: Group } | undefined;
  let last = "";
  for await (const { target, listing, value, path, line } of readTranscripts(run)) {
    const key = `${target}\u0000${listing ?? ""}`;
    if (open && open.key === key) {
      const { attempts } = open.group;
      open.group = { ...open.group, attempts: attempts && value && [...attempts, value] };
      continue;
    }
    if (open) yield open.group;
    if (key < last) throw new DataError(path, line, `${target} is out of order`);
    last = key;
    open = { key, group: { target, path, line, attempts: value && [value] } };
  }
  if (open) yield open.group;
}

/** The control was measured when the run was made; it is data, not derived. */
const controlOf = ({ value }: Placed<Observation>) => value.attempts[0]!.control;

function compare({ value: stored, path, line, text }: Placed<Observation>, derived: Observation) {
  const expected = jsonLine(Observation, derived, { path, line }).slice(0, -1);
  if (expected !== text)
    throw new DataError(path, line, `${stored.target}: ${difference(stored, derived)}`);
}

/** The first member in which two observations differ, in words. */
function difference(stored: Observation, derived: Observation): string {
  for (const [index, outcome] of stored.checks.entries()) {
    const again = derived.checks[index];
    if (JSON.stringify(outcome) === JSON.stringify(again)) continue;
    return `${outcome.check} differs\n  stored   ${JSON.stringify(outcome)}\n  derived  ${JSON.stringify(again)}`;
  }
  if (derived.checks.length > stored.checks.length) {
    const missing = derived.checks[stored.checks.length]!;
    return `${missing.check} is not stored\n  derived  ${JSON.stringify(missing)}`;
  }
  const names = [...new Set([...Object.keys(stored.facts), ...Object.keys(derived.facts)])];
  for (const name of names) {
    const [a, b] = [stored, derived].map(({ facts }) =>
      JSON.stringify(Object.hasOwn(facts, name) ? facts[name] : undefined),
    );
    if (a !== b) return `fact ${name} differs\n  stored   ${a}\n  derived  ${b}`;
  }
  return `differs\n  stored   ${JSON.stringify(stored)}\n  derived  ${JSON.stringify(derived)}`;
}

/** Sizes and digests of the files are those of run.json. Returns the bytes, uncompressed. */
async function checkFiles(run: StoredRun): Promise<number> {
  let total = 0;
  for (const { name, bytes, sha256: expected } of run.record.files) {
    const { shard, content } = parseFileName(`${name}.jsonl`)!;
    const path = await shardFile(run, shard, content);
    const found = await digestOf(path);
    if (found.sha256 !== expected || found.bytes !== bytes) {
      throw new DataError(
        path,
        undefined,
        `has ${found.bytes} bytes with digest ${found.sha256}; run.json says ${bytes} with ${expected}`,
      );
    }
    total += bytes;
  }
  return total;
}

/** Every run but the first names the run.json before it, and no two name the same. */
function checkChain(runs: readonly StoredRun[]): void {
  const digests = new Set(runs.map(({ digest }) => digest));
  const named = new Map<string | null, string>();
  for (const { id, record } of runs) {
    const { previous } = record;
    if (previous !== null && !digests.has(previous)) {
      throw new DataError(
        `${id}/run.json`,
        undefined,
        `follows ${previous}, which no run.json has`,
      );
    }
    const other = named.get(previous);
    if (other !== undefined) {
      throw new DataError(`${id}/run.json`, undefined, `follows the same run as ${other}`);
    }
    named.set(previous, id);
  }
}
