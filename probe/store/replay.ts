/**
 * Derives everything stored again from the bytes that servers sent, and compares. Stops at the first
 * difference with a `DataError` that names its place. Needs no network, no clock and no server.
 */
import { DataError } from "../errors.ts";
import { Observation } from "../observation.ts";
import type { Transcript } from "../transcript/schema.ts";
import { jsonLine } from "./json.ts";
import {
  type Placed,
  readObservations,
  readRuns,
  readTombstones,
  readTranscripts,
  type StoredRun,
} from "./read.ts";
import { checkBodies, checkChain, checkCounts, checkFiles } from "./sealed.ts";

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
  const tombstones = await readTombstones(dataDir);
  for await (const run of readRuns(dataDir)) {
    runs.push(run);
    const bodies = await checkBodies(run, tombstones);
    const { observations, withheld } = await replayRun(run, observe);
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
