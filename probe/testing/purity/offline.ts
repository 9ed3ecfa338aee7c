/**
 * Judges transcripts in a process that has lost the network, other programs, the clock and chance.
 * `probe/purity.test.ts` runs it and compares: what reaches for one of them fails, or says otherwise.
 */
import childProcess from "node:child_process";
import dns from "node:dns";
import http from "node:http";
import https from "node:https";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import tls from "node:tls";

type Anything = Record<string, unknown>;

function forbid(object: object, names: readonly string[]): void {
  for (const name of names) {
    (object as Anything)[name] = () => {
      throw new Error(`${name} was used by code that must be pure.`);
    };
  }
}

const functionsOf = (object: object) =>
  Object.entries(object).flatMap(([name, value]) => (typeof value === "function" ? [name] : []));

forbid(net, ["connect", "createConnection"]);
forbid(net.Socket.prototype, ["connect"]);
forbid(tls, ["connect"]);
forbid(dns, functionsOf(dns));
forbid(dns.promises, functionsOf(dns.promises));
forbid(http, ["get", "request"]);
forbid(https, ["get", "request"]);
forbid(childProcess, functionsOf(childProcess));
forbid(globalThis, ["fetch", "WebSocket"]);
syncBuiltinESMExports();

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
