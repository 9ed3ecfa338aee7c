/** The main job: probe what is planned, judge it, and append one run. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { checks } from "./checks/index.ts";
import { type Clock, systemClock } from "./clock.ts";
import type { Control } from "./control/control.ts";
import { Controls, type ControlsOptions } from "./control/controls.ts";
import { duringShard, outageIn } from "./control/outage.ts";
import { observe } from "./evaluate.ts";
import { facts } from "./facts/index.ts";
import { PROBE } from "./identity.ts";
import type { Observation } from "./observation.ts";
import { appendRun } from "./store/append.ts";
import { openedBefore } from "./store/before.ts";
import { rulesDigest } from "./store/digests.ts";
import { listDigest, readListings, targetsOf } from "./store/listings.ts";
import { SHARD_TARGETS } from "./store/schema.ts";
import { type Planned, type Probed, sweep, type SweepOptions } from "./sweep.ts";
import type { RunKind, Transcript } from "./transcript/schema.ts";

export interface RunOptions extends Omit<SweepOptions, "controls"> {
  readonly dataDir: string;
  readonly kind: RunKind;
  /** Tells apart the runs of one minute: lower-case letters, digits and single hyphens. */
  readonly name: string;
  readonly region: string;
  readonly clock?: Clock;
  /** Known-good endpoints for the control checks; default: those of `rules/control.json`. */
  readonly endpoints?: ControlsOptions["endpoints"];
  /** Asks the registry for a package that is known to be there; default: as npm is set up here. */
  readonly askRegistry?: ControlsOptions["askRegistry"];
}

export interface Ran {
  /** Id of the new run. */
  readonly id: string;
  readonly observations: readonly Observation[];
  readonly skips: readonly { readonly target: string; readonly reason: string }[];
}

/** Every target of every listing, in the order of the listings. */
export async function everyTarget(dataDir: string): Promise<Planned[]> {
  const plan: Planned[] = [];
  for await (const { name, server } of readListings(dataDir)) {
    plan.push(...targetsOf(server).map((target) => ({ listing: name, target })));
  }
  return plan;
}

/** Probes the plan and stores what came of it as one new run. */
export async function run(plan: readonly Planned[], options: RunOptions): Promise<Ran> {
  const { dataDir, kind, name, region, clock = systemClock } = options;
  const list = await listDigest(dataDir);
  const startedAt = clock.now();
  const controls = new Controls({ ...options, clock });
  const probed = await sweep(plan, { ...options, controls });
  const endedAt = clock.now();
  const skips = probed.flatMap((each) =>
    "skipped" in each ? [{ target: each.planned.target.key, reason: each.skipped }] : [],
  );
  const shards = [];
  for (const attempts of inShards(probed)) {
    shards.push(await judged(attempts, controls.made, dataDir));
  }
  const id = await appendRun(dataDir, {
    kind,
    name,
    startedAt: new Date(startedAt).toISOString(),
    endedAt: new Date(endedAt).toISOString(),
    probe: { ...PROBE, commit: await commit() },
    rules: await rulesDigest(),
    list,
    region,
    judges: { checks: checks.map(({ id }) => id), facts: facts.map(({ id }) => id) },
    plan: plan.map(({ target }) => target.key),
    skips,
    shards,
  });
  return { id, observations: shards.flatMap(({ observations }) => observations), skips };
}

/** A shard with its observations, which rest on its own controls. */
async function judged(
  attempts: readonly (readonly Transcript[])[],
  made: readonly Control[],
  dataDir: string,
) {
  const measured = duringShard(made, attempts.flat());
  const seen = attempts.map((each) => observe(each, { checks, facts, control: measured }));
  const outage = await outageIn(attempts, seen, () => openedBefore(dataDir));
  if (!outage) return { transcripts: attempts.flat(), observations: seen, control: measured };
  const control = [...measured, outage];
  const observations = attempts.map((each) => observe(each, { checks, facts, control }));
  return { transcripts: attempts.flat(), observations, control };
}

/** The attempts at each target that was probed, cut into shards. */
function inShards(probed: readonly Probed[]) {
  const attempts = probed.flatMap((each) => ("attempts" in each ? [each.attempts] : []));
  const shards = [];
  for (let start = 0; start < attempts.length; start += SHARD_TARGETS) {
    shards.push(attempts.slice(start, start + SHARD_TARGETS));
  }
  return shards;
}

/** The commit of the probe that is running; null outside a checkout. */
async function commit(): Promise<string | null> {
  try {
    const git = await promisify(execFile)("git", ["rev-parse", "HEAD"], {
      cwd: import.meta.dirname,
    });
    return git.stdout.trim();
  } catch {
    return null;
  }
}
