/** Builds observations for tests: a healthy server in one full run, and what is different. */
import type { Outcome } from "../../probe/check.ts";
import type { Attempt, CheckOutcome, Observation } from "../../probe/observation.ts";
import type { Entry } from "../history.ts";

/** How a check came out, with its reason where it has one. */
export type Came = Outcome | readonly [Outcome, reason: string];

/** One attempt: stopped by a check of L0, by default `L0.initialize`, or passed. */
export interface Try {
  readonly stop?: Came;
  readonly check?: string;
  /** Default: `passed` for an attempt that was stopped, else `not-measured`. */
  readonly control?: Attempt["control"];
  /** What of ours failed, where the control did. */
  readonly lost?: Attempt["lost"];
  /** Seconds from the start of the first attempt; default 60 after the one before. */
  readonly after?: number;
}

export interface Difference {
  readonly kind?: Observation["kind"];
  /** Start of the first attempt, ISO 8601 in UTC. */
  readonly at?: string;
  /** Version of the package. */
  readonly version?: string;
  /** Version that the server names; null for none. Default `1.0.0` where L0 passed. */
  readonly says?: string | null;
  /** Milliseconds that the opening took. */
  readonly latency?: number;
  readonly attempts?: readonly Try[];
  /** Checks that came out otherwise; undefined for one that the observation does not hold. */
  readonly checks?: Readonly<Record<string, Came | undefined>>;
}

export const START = "2026-11-30T12:00:00.000Z";

const OPENING = [
  "L0.reachable",
  "L0.tls",
  "L0.initialize",
  "L0.protocol_version",
  "L0.capabilities",
];

const HEALTHY: Readonly<Record<string, Came>> = {
  ...Object.fromEntries(OPENING.map((check) => [check, "passed"])),
  "L1.server_info": "passed",
  "L1.envelope": "passed",
  "L1.tools_list": "passed",
  "L1.tool_schemas": "passed",
  "L1.resources_list": "inapplicable",
  "L1.prompts_list": "inapplicable",
  "L1.unknown_method": "passed",
};

/** What a liveness run that went no further than the opening leaves in L1. */
export const NOT_ASKED: Readonly<Record<string, Came>> = {
  "L1.tools_list": ["untested", "not-asked"],
  "L1.tool_schemas": ["untested", "not-asked"],
  "L1.unknown_method": ["untested", "not-asked"],
};

export function observation(difference: Difference = {}): Observation {
  const { kind = "full", at = START, version = null, latency } = difference;
  const tries = difference.attempts ?? [{}];
  const attempts = tries.map((one, index) => attempt(one, index, at));
  const passing = tries.findIndex(({ stop }) => stop === undefined);
  const judged = passing < 0 ? tries.length : passing + 1;
  const says = difference.says === undefined && passing >= 0 ? "1.0.0" : difference.says;
  return {
    listing: "example.fixture/server",
    target: "https://mcp.example/mcp",
    version,
    kind,
    attempts,
    judged,
    checks: outcomes({ ...HEALTHY, ...after(tries[judged - 1]!), ...difference.checks }),
    facts: {
      ...(says && { server_info: { name: "fixture", version: says } }),
      ...(latency !== undefined && { latency: { opening: latency } }),
    },
  };
}

/** A run that ends as its last attempt does. */
export function entry(difference: Difference = {}): Entry {
  const made = observation(difference);
  const { endedAt } = made.attempts.at(-1)!;
  return { run: `${made.attempts[0]!.startedAt}-${made.kind}`, endedAt, observation: made };
}

/** A moment some hours after the start. */
export const hours = (count: number) => later(START, count * 3600);

function attempt({ stop, check, control, lost, after }: Try, index: number, at: string): Attempt {
  const startedAt = later(at, after ?? index * 60);
  const [outcome, reason] = parts(stop);
  return {
    attempt: index + 1,
    startedAt,
    endedAt: later(startedAt, 1),
    stoppedBy: outcome
      ? { check: check ?? "L0.initialize", outcome, ...(reason !== undefined && { reason }) }
      : null,
    control: control ?? (stop ? "passed" : "not-measured"),
    ...(lost && { lost }),
  };
}

/** Outcomes of the checks from the one on that stopped an attempt. */
function after({ stop, check = "L0.initialize" }: Try): Record<string, Came> {
  if (stop === undefined) return {};
  const [outcome, reason] = parts(stop);
  const travels = outcome === "failed" ? "not-reached" : (reason ?? "untested");
  const names = Object.keys(HEALTHY);
  const rest = names.slice(names.indexOf(check) + 1);
  return { [check]: stop, ...Object.fromEntries(rest.map((id) => [id, ["untested", travels]])) };
}

function outcomes(came: Readonly<Record<string, Came | undefined>>): CheckOutcome[] {
  return Object.entries(came).flatMap(([check, value]) => {
    const [outcome, reason] = parts(value);
    if (outcome === undefined) return [];
    const because = "For the test.";
    return [{ check, outcome, ...(reason !== undefined && { reason }), because, evidence: [] }];
  });
}

function parts(came: Came | undefined): readonly [Outcome?, string?] {
  if (came === undefined) return [];
  return typeof came === "string" ? [came] : came;
}

const later = (moment: string, seconds: number) =>
  new Date(Date.parse(moment) + seconds * 1000).toISOString();
