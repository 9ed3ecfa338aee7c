/**
 * Derives everything stored again from the bytes that servers sent, and compares. Stops at the first
 * difference with a `DataError` that names its place. Needs no network, no clock and no server.
 */
import { basename, join } from "node:path";
import { DataError } from "../errors.ts";
import { type Judges, observe } from "../evaluate.ts";
import { type CheckOutcome, Observation } from "../observation.ts";
import type { Transcript } from "../transcript/schema.ts";
import { jsonLine } from "./json.ts";
import { parseFileName, runFolder } from "./paths.ts";
import {
  type Placed,
  readControls,
  readObservations,
  readRuns,
  readTombstones,
  readTranscripts,
  type StoredRun,
} from "./read.ts";
import { checkBodies, checkChain, checkCounts, checkFiles } from "./sealed.ts";

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
