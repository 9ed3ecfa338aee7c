/**
 * `npm run bench:probe -- [--targets N] [--concurrency N] [--rounds N]`: how much dearer the probe is
 * than a bare loop over undici that asks the same servers the same questions, and the memory it holds.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { complain, UsageError } from "../probe/errors.ts";
import type { Talked } from "./bench/talk.ts";

const BENCH = join(import.meta.dirname, "bench");

/** Most servers of one process: each holds an open port. */
const MOST_TARGETS = 10_000;

try {
  const { values } = parseArgs({
    options: {
      targets: { type: "string", default: "1000" },
      concurrency: { type: "string", default: "64" },
      rounds: { type: "string", default: "5" },
    },
  });
  const targets = count("targets", values.targets);
  const concurrency = count("concurrency", values.concurrency);
  const rounds = count("rounds", values.rounds);
  console.log(
    [
      `${targets} healthy servers on loopback ports of one other process, plain HTTP, ${concurrency} at a time.`,
      `Each measurement is a fresh process; bare and probe take turns, ${rounds} rounds; medians.`,
      "bare: undici, one client a server, the same POSTs, JSON parsed. probe: sweep and observe.",
      "",
    ].join("\n"),
  );
  const servers = fork(join(BENCH, "servers.ts"), [String(targets)]);
  const [ports] = (await once(servers, "message")) as [readonly number[]];
  try {
    for (const kind of ["liveness", "full"]) console.log(await compare(kind));
  } finally {
    servers.disconnect();
  }

  async function compare(kind: string): Promise<string> {
    const taken: Record<"bare" | "probe", Talked[]> = { bare: [], probe: [] };
    for (let round = 0; round < rounds; round += 1) {
      for (const way of ["bare", "probe"] as const) {
        taken[way].push(await talk(way, kind, concurrency, ports));
      }
    }
    const median = (way: "bare" | "probe", of: keyof Talked) => {
      const sorted = taken[way].map((each) => each[of]).sort((a, b) => a - b);
      return sorted[Math.floor(sorted.length / 2)]!;
    };
    const [bare, probe] = [median("bare", "seconds"), median("probe", "seconds")];
    const most = Math.max(...taken.probe.map(({ megabytes }) => megabytes));
    return [
      kind.padEnd(8),
      `bare ${bare.toFixed(2)} s`,
      `probe ${probe.toFixed(2)} s`,
      `ratio ${(probe / bare).toFixed(2)}`,
      `${Math.round(targets / probe)} targets/s`,
      `probe at most ${Math.round(most)} MB, bare ${Math.round(median("bare", "megabytes"))} MB`,
    ].join("  ");
  }
} catch (error) {
  process.exitCode = complain(error);
}

async function talk(
  way: string,
  kind: string,
  concurrency: number,
  ports: readonly number[],
): Promise<Talked> {
  const child: ChildProcess = fork(join(BENCH, "talk.ts"), [way, kind, String(concurrency)]);
  child.send(ports);
  const [message, end] = [once(child, "message"), once(child, "exit")];
  const first = (await Promise.race([message, end])) as [unknown];
  if (typeof first[0] !== "object" || first[0] === null)
    throw new Error(`${way} ${kind} ended with ${String(first[0])}.`);
  await end;
  return first[0] as Talked;
}

function count(name: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0 && value <= MOST_TARGETS) return value;
  throw new UsageError(`--${name} takes a number from 1 to ${MOST_TARGETS}, not "${text}".`);
}
