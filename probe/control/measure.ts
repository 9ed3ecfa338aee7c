/** Tries one capability of our own side on something known to be good. */
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import type { Clock } from "../clock.ts";
import { PROBE } from "../identity.ts";
import { record } from "../record.ts";
import { type Endpoint, limit } from "../rules.ts";
import type { Prepared } from "../sandbox/trusted.ts";
import type { Target } from "../transcript/schema.ts";
import { Recorder } from "../transcript/recorder.ts";
import { type ConnectOptions, Connector } from "../transport/connect.ts";
import { type Fault, faultOf } from "../transport/fault.ts";
import { resolveGuarded, systemResolve } from "../transport/guard.ts";
import { opening } from "../views/opening.ts";

/** What was tried and what came of it; `fault` when it did not answer. */
export interface Trial {
  readonly endpoint: string;
  readonly fault?: Fault;
}

/** Makes a program ready to start, in the way in which the servers of packages are. */
export type Prepare = (target: Exclude<Target, { kind: "remote" }>) => Promise<Prepared>;

/** Tries one endpoint of the public list: looks a name up, connects, or shakes hands. */
export async function tryEndpoint(
  endpoint: Endpoint,
  clock: Clock,
  options: ConnectOptions,
): Promise<Trial> {
  const { capability, host, port } = endpoint;
  const address = `${host.includes(":") ? `[${host}]` : host}${port === null ? "" : `:${port}`}`;
  const scheme = capability === "tls" ? "https" : "http";
  const work =
    capability === "dns"
      ? lookUp(host, options)
      : dial(new URL(`${scheme}://${address}`), clock, options);
  return { endpoint: address, ...(await withinLimit(work, clock)) };
}

/** Tries this machine's own network: a listener of ours, on an address of each family. */
export function tryLoopback(clock: Clock): Promise<readonly Trial[]> {
  const tryOne = async (address: string): Promise<Trial> => {
    const server = createServer((socket) => socket.end());
    try {
      server.listen(0, address);
      await once(server, "listening");
      const { port, family } = server.address() as AddressInfo;
      const host = family === "IPv6" ? `[${address}]` : address;
      const url = new URL(`http://${host}:${port}`);
      return { endpoint: address, ...(await dial(url, clock, { allowLoopback: true })) };
    } catch (error) {
      return { endpoint: address, fault: faultOf(error) };
    } finally {
      server.close();
    }
  };
  return Promise.all(["127.0.0.1", "::1"].map(tryOne));
}

/** Tries the start of a process: our own server, prepared and asked like any other. */
export async function trySandbox(clock: Clock, prepare: Prepare): Promise<Trial> {
  const endpoint = "control-server";
  const target: Target = {
    kind: "command",
    key: endpoint,
    argv: [process.execPath, join(import.meta.dirname, "server.js")],
    environment: {},
    missing: [],
  };
  try {
    const { launch, cleanup } = await prepare(target);
    try {
      if (!launch) throw new Error("A command needs no package.");
      const transcript = await record(target, { kind: "liveness", era: "legacy", clock, launch });
      if (opening(transcript).opened) return { endpoint };
      const broke = transcript.events.find((event) => "fault" in event && event.fault);
      const fault = broke && "fault" in broke ? broke.fault : undefined;
      const silent = { code: "NO_ANSWER", message: "our own server did not open" };
      return { endpoint, fault: fault ?? silent };
    } finally {
      await cleanup();
    }
  } catch (error) {
    return { endpoint, fault: faultOf(error) };
  }
}

type Outcome = { readonly fault?: Fault };

/** An answer that leads to no public address is none: some networks lie about every name. */
async function lookUp(
  host: string,
  { resolve = systemResolve, allowLoopback = false }: ConnectOptions,
): Promise<Outcome> {
  try {
    const addresses = await resolveGuarded(host, resolve, allowLoopback);
    if (addresses.some(({ allowed }) => allowed)) return {};
    const found = addresses.map(({ address }) => address).join(", ") || "no address";
    return { fault: { code: "NOT_PUBLIC", message: found } };
  } catch (error) {
    return { fault: faultOf(error) };
  }
}

/** Connects as the probe does to any server, and says nothing. */
async function dial(url: URL, clock: Clock, options: ConnectOptions): Promise<Outcome> {
  const target: Target = {
    kind: "remote",
    key: url.href,
    url: url.href,
    transport: "streamable-http",
    missing: [],
  };
  const subject = { probe: PROBE, listing: null, target, kind: "liveness", era: "auto" } as const;
  const recorder = new Recorder({ ...subject, attempt: 1 }, clock);
  const socket = await new Connector(url, recorder, clock, options).connect();
  socket?.destroy();
  if (socket) return {};
  const last = recorder.events.findLast((event) => "fault" in event);
  const none = { code: "NOT_PUBLIC", message: "no public address" };
  return { fault: (last && "fault" in last && last.fault) || none };
}

function withinLimit(work: Promise<Outcome>, clock: Clock): Promise<Outcome> {
  const ms = limit("control");
  return new Promise((resolve) => {
    const late = { code: "ETIMEDOUT", message: `nothing after ${ms} ms` };
    const cancel = clock.after(ms, () => resolve({ fault: late }));
    void work.then((outcome) => {
      cancel();
      resolve(outcome);
    });
  });
}
