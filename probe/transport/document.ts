/**
 * Fetches one document that a server names, such as the description of its login. It may lie on any
 * host, so nothing is followed from there, and every address is checked as the target's own is.
 */
import { type buildConnector, Client } from "undici";
import type { Clock } from "../clock.ts";
import { USER_AGENT } from "../identity.ts";
import { limit } from "../rules.ts";
import type { Recorder } from "../transcript/recorder.ts";
import { isLoopback } from "../views/network.ts";
import { type ConnectOptions, Connector } from "./connect.ts";
import { faultOf } from "./fault.ts";

/** Asks for one document and writes down what came; false when its host cannot be connected to. */
export type Fetch = (url: URL) => Promise<boolean>;

/** Whether a URL that a stranger chose may be asked: https, or plain http on this machine. */
export function mayFetch(url: URL): boolean {
  if (url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.href));
}

/** Whether the target itself was reached on this machine, whatever name it has. */
export function liesOnLoopback({ events }: Recorder): boolean {
  const reached = events.find((event) => event.type === "connected" && event.fault === undefined);
  if (reached?.type !== "connected") return false;
  return isLoopback(
    reached.address.includes(":") ? `//[${reached.address}]` : `//${reached.address}`,
  );
}

/** The fetch of one attempt. Loopback is open to it only where the target lies there too. */
export function documentFetch(
  onLoopback: boolean,
  recorder: Recorder,
  clock: Clock,
  options: ConnectOptions,
): Fetch {
  const allowLoopback = options.allowLoopback === true && onLoopback;
  return async (url) => {
    const exchange = recorder.nextExchange();
    const headers: [string, string][] = [
      ["user-agent", USER_AGENT],
      ["accept-encoding", "identity"],
      ["accept", "application/json"],
    ];
    recorder.add("sent", {
      exchange,
      purpose: "auth-metadata",
      replies: exchange,
      http: { method: "GET", url: url.href, headers },
      data: new Uint8Array(),
    });
    const connector = new Connector(url, recorder, clock, { ...options, allowLoopback });
    const socket = await connector.connect();
    if (!socket) {
      const fault = { code: "ECONNREFUSED", message: "no connection" };
      recorder.add("broke", { exchange, fault });
      return false;
    }
    const client = new Client(url.origin, {
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
      // undici loses a socket that is handed over before its own call has returned.
      connect: (_options, done: buildConnector.Callback) =>
        queueMicrotask(() => done(null, socket)),
    });
    await read(client, { exchange, url, headers }, recorder, clock);
    socket.destroy();
    return true;
  };
}

async function read(
  client: Client,
  { exchange, url, headers }: { exchange: number; url: URL; headers: [string, string][] },
  recorder: Recorder,
  clock: Clock,
): Promise<void> {
  const abort = new AbortController();
  const cancel = clock.after(limit("auth-metadata"), () => {
    recorder.add("timed-out", { exchange, after: limit("auth-metadata") });
    abort.abort();
  });
  try {
    const response = await client.request({
      method: "GET",
      path: url.pathname + url.search,
      headers: headers.flat(),
      responseHeaders: "raw",
      signal: abort.signal,
    });
    const raw = (response.headers as unknown as readonly Buffer[]).map((part) =>
      part.toString("latin1"),
    );
    const pairs = raw.flatMap((name, index): [string, string][] =>
      index % 2 === 0 ? [[name, raw[index + 1] ?? ""]] : [],
    );
    recorder.add("responded", { exchange, status: response.statusCode, headers: pairs });
    let size = 0;
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      if (abort.signal.aborted) return;
      recorder.received(exchange, chunk);
      size += chunk.length;
      if (size > limit("auth-metadata-bytes")) {
        recorder.add("capped", { channel: exchange, limit: limit("auth-metadata-bytes") });
        abort.abort();
        return;
      }
    }
    recorder.add("ended", { channel: exchange });
  } catch (error) {
    // What we aborted ourselves is on record as that.
    if (!abort.signal.aborted) recorder.add("broke", { exchange, fault: faultOf(error) });
  } finally {
    cancel();
    await client.destroy();
  }
}
