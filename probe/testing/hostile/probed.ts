/**
 * A process of its own that probes servers all at once, judges each record as a run does, and says
 * what came of it and how much memory it took.
 */
import { once } from "node:events";
import { checks } from "../../checks/index.ts";
import { evaluate } from "../../evaluate.ts";
import { facts } from "../../facts/index.ts";
import { keepHeapSmall } from "../../heap.ts";
import { record } from "../../record.ts";
import type { Target } from "../../transcript/schema.ts";
import { remoteTarget } from "../transcripts.ts";

/** A port on this machine, or the command line of a program. */
export type Where = number | readonly [string, ...string[]];

export interface Probed {
  /** `check outcome reason` of the first check that did not pass; `passed` when all did. */
  readonly outcomes: readonly string[];
  readonly recorded: Measured;
  readonly judged: Measured;
}

export interface Measured {
  readonly seconds: number;
  /** The most memory of the process so far. */
  readonly megabytes: number;
}

// As the command line does.
keepHeapSmall();
const [wheres] = (await once(process, "message")) as [readonly Where[]];
const start = performance.now();
const measured = (): Measured => ({
  seconds: (performance.now() - start) / 1000,
  megabytes: process.resourceUsage().maxRSS / 1024,
});
const transcripts = await Promise.all(wheres.map(recordAt));
const recorded = measured();
const outcomes = transcripts.map((transcript) => {
  const outcomes = evaluate(transcript, { checks, facts }).checks;
  const stop = outcomes.find(({ outcome }) => outcome === "failed" || outcome === "cantTell");
  return stop ? `${stop.check} ${stop.outcome} ${stop.reason}` : "passed";
});
const probed: Probed = { outcomes, recorded, judged: measured() };
process.send!(probed, () => process.exit(0));

function recordAt(where: Where) {
  if (typeof where === "number") {
    return record(remoteTarget(`http://127.0.0.1:${where}/mcp`), { allowLoopback: true });
  }
  const argv = [...where] as [string, ...string[]];
  const launch = { argv, shown: argv, cwd: import.meta.dirname, environment: {} };
  const target: Target = {
    kind: "command",
    key: `command:${argv.join(" ")}`,
    argv,
    environment: {},
    missing: [],
  };
  return record(target, { launch });
}
