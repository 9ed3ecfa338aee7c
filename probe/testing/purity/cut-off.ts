/**
 * Takes the network and other programs away from a process: `node --import cut-off.ts …`. What
 * reaches for them fails, and says with what.
 */
import childProcess from "node:child_process";
import dns from "node:dns";
import http from "node:http";
import https from "node:https";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import tls from "node:tls";

type Anything = Record<string, unknown>;

/** Replaces functions by ones that throw. */
export function forbid(object: object, names: readonly string[]): void {
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
