/**
 * Derives everything stored again from the bytes that servers sent, and compares. Stops at the first
 * difference with a `DataError` that names its place. Needs no network, no clock and no server.
 */
import { basename, join } from "node:path";
import { DataError } from "../errors.ts";
import { type Judges, observe } from "../evaluate.ts";
import { type CheckOutcome, Observation } from "../observation.ts";
import type { Transcript } from "../transcript/schema.ts";
import { bytesOfBody, refsOf } from "./codec.ts";
import { digestOf, sha256 } from "./encoding.ts";
import { jsonLine } from "./json.ts";
import { parseFileName, runFolder } from "./paths.ts";
import { filesIn } from "./folders.ts";
import {
  type Placed,
  readBodies,
  readControls,
  readObservations,
  readRuns,
  readStored,
  readTombstones,
  readTranscripts,
  shardFile,
  type StoredRun,
} from "./read.ts";

export interface Replayed {
  readonly runs: number;
  readonly observations: number;
  readonly bodies: number;
  /** Bytes of all files, uncompressed. */
  readonly bytes: number;
  /** Observations that cannot be derived again because bodies of theirs are withheld. */
  readonly withheld: number;
}

/** Replays every run of a data folder, each with those of the `judges` that it names. */
export async function replay(dataDir: string, judges: Judges): Promise<Replayed> {
  const total = { runs: 0, observations: 0, bodies: 0, bytes: 0, withheld: 0 };
  const runs: StoredRun[] = [];
  const tombstones = await readTombstones(dataDir);
  for await (const run of readRuns(dataDir)) {
    runs.push(run);
    const bodies = await checkBodies(run, tombstones);
    const { observations, withheld } = await replayRun(run, judgesOf(run, judges));
    total.runs += 1;
    total.bodies += bodies.count;
    total.observations += observations;
    total.withheld += withheld;
    total.bytes += await checkFiles(run, bodies.opened);
    checkCounts(run, { bodies: bodies.count, observations });
  }
  checkChain(runs);
  return total;
}

/**
 * Every body is what its digest says, whether or not a transcript refers to it. Returns their count,
 * and the files out of which bodies were taken: those no longer have the digest of run.json.
 */
async function checkBodies(run: StoredRun, tombstones: ReadonlySet<string>) {
  const opened = new Set<string>();
  let count = 0;
  for await (const { value, path, line } of readBodies(run)) {
    const [digest] = value;
    const bytes = bytesOfBody(value);
    const found = bytes && sha256(bytes);
    if (found === undefined && !tombstones.has(digest)) {
      throw new DataError(path, line, `body ${digest} was taken away, and no tombstone says why`);
    }
    if (found === undefined) opened.add(path);
    else if (found !== digest) {
      const whose = await targetsReferringTo(run, digest);
      throw new DataError(
        path,
        line,
        `body ${digest} was changed: its digest is ${found} (${whose})`,
      );
    }
    count += 1;
  }
  return { count, opened };
}

/** Who said what is in a body, for a message. */
async function targetsReferringTo(run: StoredRun, digest: string): Promise<string> {
  const targets = new Set<string>();
  for await (const { value } of readStored(run)) {
    if (refsOf(value).some((ref) => ref.sha256 === digest)) targets.add(value.target.key);
  }
  return targets.size > 0 ? `said to or by ${[...targets].join(", ")}` : "nothing refers to it";
}

async function replayRun(run: StoredRun, judges: Judges) {
  const controls = await readControls(run);
  const stored = readObservations(run)[Symbol.asyncIterator]();
  let [observations, withheld] = [0, 0];
  for await (const group of byObservation(run)) {
    const next = await stored.next();
    if (next.done) {
      throw new DataError(group.path, group.line, `${group.target} has no stored observation`);
    }
    observations += 1;
    if (group.attempts) {
      const control = controls.get(group.shard) ?? [];
      compare(next.value, observe(group.attempts, { ...judges, control }));
    } else withheld += 1;
  }
  const extra = await stored.next();
  if (!extra.done) {
    const { path, line, value } = extra.value;
    throw new DataError(path, line, `${value.target} is observed, but no transcript of it is left`);
  }
  return { observations, withheld };
}

/**
 * The checks and facts that a run names, in its order. One that was added later says nothing of it;
 * one that is gone leaves what it said unproven, which is an error.
 */
function judgesOf(run: StoredRun, { checks, facts }: Judges): Judges {
  const named = run.record.judges;
  const pick = <T extends { readonly id: string }>(ids: readonly string[], all: readonly T[]) =>
    ids.map((id) => {
      const judge = all.find((each) => each.id === id);
      if (judge) return judge;
      const path = join(runFolder(run.dataDir, run.id), "run.json");
      throw new DataError(path, undefined, `names ${id}, which is neither a check nor a fact here`);
    });
  return { checks: pick(named.checks, checks), facts: pick(named.facts, facts) };
}

interface Group {
  readonly target: string;
  readonly shard: number;
  readonly path: string;
  readonly line: number;
  /** Null when bodies of an attempt are withheld. */
  readonly attempts: readonly Transcript[] | null;
}

/** The attempts at one target of one listing follow each other in a shard's transcripts. */
async function* byObservation(run: StoredRun): AsyncIterable<Group> {
  let open: { key: string; group: Group } | undefined;
  for await (const { target, listing, value, path, line } of readTranscripts(run)) {
    const { shard } = parseFileName(basename(path))!;
    const key = `${target}\u0000${listing ?? ""}`;
    const before = open?.group.shard === shard ? open.key : "";
    if (open && before === key) {
      const { attempts } = open.group;
      open.group = { ...open.group, attempts: attempts && value && [...attempts, value] };
      continue;
    }
    if (open) yield open.group;
    if (key < before) throw new DataError(path, line, `${target} is out of order`);
    open = { key, group: { target, shard, path, line, attempts: value && [value] } };
  }
  if (open) yield open.group;
}

function compare({ value: stored, path, line, text }: Placed<Observation>, derived: Observation) {
  const expected = jsonLine(Observation, derived, { path, line }).slice(0, -1);
  if (expected !== text)
    throw new DataError(path, line, `${stored.target}: ${difference(stored, derived)}`);
}

/** The first member in which two observations differ, in words. */
function difference(stored: Observation, derived: Observation): string {
  for (const outcome of stored.checks) {
    const again = derived.checks.find((each) => isSameRule(each, outcome));
    if (JSON.stringify(outcome) === JSON.stringify(again)) continue;
    return `${outcome.check} differs\n  stored   ${JSON.stringify(outcome)}\n  derived  ${JSON.stringify(again)}`;
  }
  const missing = derived.checks.find(
    (each) => !stored.checks.some((one) => isSameRule(one, each)),
  );
  if (missing) return `${missing.check} is not stored\n  derived  ${JSON.stringify(missing)}`;
  const names = [...new Set([...Object.keys(stored.facts), ...Object.keys(derived.facts)])];
  for (const name of names) {
    const [a, b] = [stored, derived].map(({ facts }) =>
      JSON.stringify(Object.hasOwn(facts, name) ? facts[name] : undefined),
    );
    if (a !== b) return `fact ${name} differs\n  stored   ${a}\n  derived  ${b}`;
  }
  return `differs\n  stored   ${JSON.stringify(stored)}\n  derived  ${JSON.stringify(derived)}`;
}

const isSameRule = (a: CheckOutcome, b: CheckOutcome) =>
  a.check === b.check && a.subject === b.subject;

/**
 * Sizes and digests of the files are those of run.json, but for `opened` ones, whose bodies were each
 * checked; and the folder holds nothing else. Returns the bytes, uncompressed.
 */
async function checkFiles(run: StoredRun, opened: ReadonlySet<string>): Promise<number> {
  const folder = runFolder(run.dataDir, run.id);
  const left = new Set(await filesIn(folder));
  left.delete("run.json");
  let total = 0;
  for (const { name, bytes, sha256: expected } of run.record.files) {
    const { shard, content } = parseFileName(`${name}.jsonl`)!;
    const path = await shardFile(run, shard, content);
    left.delete(basename(path));
    const found = await digestOf(path);
    const same = found.sha256 === expected && found.bytes === bytes;
    if (!same && !opened.has(path)) {
      const says = `run.json says ${bytes} with ${expected}`;
      throw new DataError(
        path,
        undefined,
        `has ${found.bytes} bytes with ${found.sha256}; ${says}`,
      );
    }
    total += found.bytes;
  }
  const [stray] = left;
  if (stray !== undefined) {
    throw new DataError(join(folder, stray), undefined, "is a file that run.json does not name");
  }
  return total;
}

/** What run.json counts is what was found. */
function checkCounts(run: StoredRun, found: { bodies: number; observations: number }): void {
  const { counts } = run.record;
  for (const name of ["bodies", "observations"] as const) {
    if (counts[name] === found[name]) continue;
    const path = join(runFolder(run.dataDir, run.id), "run.json");
    throw new DataError(
      path,
      undefined,
      `counts ${counts[name]} ${name}, but ${found[name]} are stored`,
    );
  }
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
