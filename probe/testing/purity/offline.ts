/**
 * Judges transcripts in a process that has lost the network, other programs, the clock and chance.
 * `probe/purity.test.ts` runs it and compares: what reaches for one of them fails, or says otherwise.
 */
import { forbid } from "./cut-off.ts";

const { checks } = await import("../../checks/index.ts");
const { facts } = await import("../../facts/index.ts");
const { evaluate } = await import("../../evaluate.ts");
const { httpTranscript, modernTranscript, stdioTranscript } = await import("../transcripts.ts");

// Loading a module may look at the clock, as libraries do; judging may not.
forbid(Math, ["random"]);
forbid(performance, ["now"]);
forbid(process, ["hrtime", "uptime"]);
globalThis.Date = new Proxy(Date, {
  construct(target, given: readonly unknown[]) {
    if (given.length === 0) throw new Error("new Date() was used by code that must be pure.");
    return Reflect.construct(target, given) as Date;
  },
  get(target, name) {
    if (name === "now") throw new Error("Date.now was used by code that must be pure.");
    return Reflect.get(target, name) as unknown;
  },
});

const judged = [httpTranscript(), stdioTranscript(), modernTranscript()].map((transcript) =>
  evaluate(transcript, { checks, facts }),
);
process.stdout.write(JSON.stringify(judged));
