/** Stored data for tests, in memory: listings, and runs made of what each found. */
import type { Observation } from "../../../probe/observation.ts";
import { httpTranscript, stdioTranscript } from "../../../probe/testing/transcripts.ts";
import type { Target } from "../../../probe/transcript/schema.ts";
import { type Difference, observation } from "../../../methodology/testing/observations.ts";
import type { Data, Judges, Listing, Run } from "../input.ts";
import { defineCheck } from "../../../probe/check.ts";
import { defineFact } from "../../../probe/fact.ts";
import { current, methodologies, verdicts } from "../../../methodology/index.ts";

const check = (id: "L0.initialize" | "L1.tools_list") =>
  defineCheck({
    id,
    title: `Title of ${id}`,
    passesWhen: "Rule.",
    why: "Reason.",
    fix: "Remedy.",
    needs: [],
    run: () => [],
  });

/** Two checks and one fact stand for all; the methodologies are the published ones. */
export const judges: Judges = {
  checks: [check("L0.initialize"), check("L1.tools_list")],
  facts: [
    defineFact({
      id: "server_info",
      title: "Server",
      describes: "Name and version.",
      run: () => undefined,
      show: (value) => Object.values(value as Record<string, string>).join(" "),
    }),
  ],
  verdicts,
  methodologies,
  current,
};

export const REMOTE = httpTranscript().target;
export const PACKAGE = stdioTranscript().target;

export function listing(difference: Partial<Listing> = {}): Listing {
  return {
    name: "example.fixture/server",
    title: "Fixture",
    description: "A small server.",
    repository: null,
    website: null,
    targets: [REMOTE],
    ...difference,
  };
}

/** One observation in a run, with the transcript of each of its attempts. */
export interface Visit extends Difference {
  readonly listing?: string;
  readonly target?: Target;
  /** Events that every check points to; default: the one that sent the opening. */
  readonly evidence?: readonly number[];
  /** The transcripts were not kept. */
  readonly unrecorded?: true;
  /** A takedown withholds some bytes. */
  readonly withheld?: true;
}

/** A run that ends with the last of its visits. */
export function run(...visits: readonly [Visit, ...Visit[]]): Run {
  const made = visits.map((visit) => observe(visit));
  const ends = made.map(({ attempts }) => attempts.at(-1)!.endedAt);
  const { kind, attempts } = made[0]!;
  const { startedAt } = attempts[0]!;
  return {
    about: {
      id: `${startedAt.slice(0, 10).replaceAll("-", "/")}/${startedAt.slice(11, 16).replace(":", "")}Z-${kind}-a`,
      kind,
      startedAt,
      endedAt: ends.toSorted().at(-1)!,
      region: "local",
      probe: "0.1.0",
      skipped: [],
      digest: "0".repeat(64),
      previous: null,
      files: [],
    },
    observations: () => stream(made),
    transcripts: (targets) =>
      stream(
        visits
          .flatMap((visit, index) => (visit.unrecorded ? [] : recorded(visit, made[index]!)))
          .filter(({ target }) => targets.has(target)),
      ),
  };
}

export function data(listings: readonly Listing[], runs: readonly Run[]): Data {
  return { listings: () => stream(listings), runs: () => stream(runs) };
}

function observe({ listing: name, target = REMOTE, evidence = [3], ...difference }: Visit) {
  const made = observation(difference);
  return {
    ...made,
    listing: name ?? made.listing,
    target: target.key,
    checks: made.checks.map((one) => ({ ...one, evidence: [...evidence] })),
  };
}

function recorded({ target = REMOTE, withheld }: Visit, made: Observation) {
  return made.attempts.map(({ attempt, startedAt }) => ({
    listing: made.listing,
    target: target.key,
    transcript: withheld
      ? null
      : {
          ...httpTranscript({ target, kind: made.kind }),
          listing: made.listing,
          attempt,
          startedAt,
        },
  }));
}

async function* stream<T>(items: readonly T[]): AsyncIterable<T> {
  yield* items;
}

/** All items, in order. */
export async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
