/**
 * Fetches one document that a server names, such as the description of its login. It may lie on any
 * host, so nothing is followed from there, and every address is checked as the target's own is.
 */
import type { Clock } from "../clock.ts";
import { USER_AGENT } from "../identity.ts";
import { limit } from "../rules.ts";
import type { Recorder } from "../transcript/recorder.ts";
import { isLoopback, isLoopbackHost } from "../views/network.ts";
import { readBody } from "./body.ts";
import { type ConnectOptions, Connector } from "./connect.ts";
import { faultOf } from "./fault.ts";
import { type Asking, headersOf, Origin } from "./origin.ts";

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
  return reached?.type === "connected" && isLoopbackHost(reached.address);
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
    const origin = new Origin(new Connector(url, recorder, clock, { ...options, allowLoopback }));
    try {
      if (await origin.open()) {
        await read(
          origin.ask({ method: "GET", url, headers, body: "" }),
          exchange,
          recorder,
          clock,
        );
        return true;
      }
      const fault = { code: "ECONNREFUSED", message: "no connection" };
      recorder.add("broke", { exchange, fault });
      return false;
    } finally {
      origin.close();
    }
  };
}

async function read(
  asking: Asking,
  exchange: number,
  recorder: Recorder,
  clock: Clock,
): Promise<void> {
  const most = limit("auth-metadata-bytes");
  let [over, size] = [false, 0];
  const cancel = clock.after(limit("auth-metadata"), () => {
    over = true;
    recorder.add("timed-out", { exchange, after: limit("auth-metadata") });
    asking.abort();
  });
  try {
    const response = await asking.response;
    if (over) return;
    const headers = headersOf(response);
    recorder.add("responded", { exchange, status: response.statusCode!, headers });
    // Nothing is decoded: it was asked for as it is.
    const whole = await readBody(
      response,
      { headers, codings: [] },
      {
        isOpen: () => !over,
        received: (bytes) => recorder.received(exchange, bytes),
        decoded: () => {},
        capped: (at) => recorder.add("capped", { channel: exchange, limit: at }),
        passed: (_message, more) => ((size += more) > most ? most : undefined),
      },
    );
    if (whole) recorder.add("ended", { channel: exchange });
  } catch (error) {
    // What we aborted ourselves is on record as that.
    if (!over) recorder.add("broke", { exchange, fault: faultOf(error) });
  } finally {
    cancel();
  }
}
