/** Records a remote and judges the record: what a test of the whole line looks at. */
import { onTestFinished } from "vitest";
import { checks } from "../checks/index.ts";
import { evaluate } from "../evaluate.ts";
import { facts } from "../facts/index.ts";
import { record, type RecordOptions } from "../record.ts";
import type { Transcript } from "../transcript/schema.ts";
import { type Arrived, type FreeServer, serveFreely } from "./servers/http.ts";
import { remoteTarget } from "./transcripts.ts";

export interface Judged {
  readonly transcript: Transcript;
  /** Outcome by check. */
  readonly outcomes: ReadonlyMap<string, string>;
  /** Reason by check, where there is one. */
  readonly reasons: ReadonlyMap<string, string | undefined>;
  readonly because: ReadonlyMap<string, string>;
  readonly facts: Readonly<Record<string, unknown>>;
  /** Checks that failed. */
  readonly failed: readonly string[];
}

export async function probeAndJudge(url: string, options: RecordOptions = {}): Promise<Judged> {
  // Other transports and the other era have tests of their own.
  const plain = { transport: "streamable-http", era: "legacy" } as const;
  const transcript = await record(remoteTarget(url), { allowLoopback: true, ...plain, ...options });
  const evaluation = evaluate(transcript, { checks, facts });
  return {
    transcript,
    outcomes: new Map(evaluation.checks.map(({ check, outcome }) => [check, outcome])),
    reasons: new Map(evaluation.checks.map(({ check, reason }) => [check, reason])),
    because: new Map(evaluation.checks.map(({ check, because }) => [check, because])),
    facts: evaluation.facts,
    failed: evaluation.checks.flatMap(({ check, outcome }) => (outcome === "failed" ? check : [])),
  };
}

/** A server that a test writes, gone when the test is over. */
export async function serve(
  answer: Parameters<typeof serveFreely>[0],
  host?: string,
): Promise<FreeServer> {
  const server = await serveFreely(answer, host);
  onTestFinished(() => server.stop());
  return server;
}

/** What arrived, in short: `POST /mcp initialize`. */
export const inShort = (arrived: readonly Arrived[]): readonly string[] =>
  arrived.map(({ method, path, message }) => {
    const name = message["method"];
    return typeof name === "string" ? `${method} ${path} ${name}` : `${method} ${path}`;
  });
