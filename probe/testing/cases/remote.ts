/** A healthy MCP server over HTTPS on loopback, which a variant makes do something else. */
import { once } from "node:events";
import { createServer as createPlain, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecure } from "node:https";
import type { AddressInfo } from "node:net";
import type { Clock } from "../../clock.ts";
import type { Resolve } from "../../transport/guard.ts";
import type { Ask } from "./case.ts";
import { type Certified, certificate } from "./certificates.ts";
import { Counter, filled, healthy, type Payload, reply } from "./healthy.ts";

export interface Remote {
  readonly wire: "http";
  /** What it does with one request; undefined leaves that to the healthy server. */
  readonly answer?: (ask: Ask, at: Place) => Answer | undefined;
  /** Default `mcp.fixture.test`; others of `fixture.test` lead to the same server. */
  readonly host?: string;
  readonly path?: string;
  readonly transport?: "streamable-http" | "sse";
  /** No TLS, and the address in place of a name. */
  readonly plain?: boolean;
  readonly certificate?: Certified;
  readonly listen?: "127.0.0.1" | "::1";
  /** Default: every name of `fixture.test` is where the server listens, others are not found. */
  readonly resolve?: Resolve;
  /** Names of headers or URL variables that the listing wants and nothing fills. */
  readonly missing?: readonly string[];
  /** Which of our own capabilities are broken meanwhile. */
  readonly broken?: readonly string[];
}

export interface Place {
  readonly origin: string;
  readonly port: number;
  readonly clock: Clock;
}

/**
 * A payload as JSON; or an HTTP answer, whose body is filled (healthy.ts) and, as a list, written piece by
 * piece; or `hang`, or `reset`; or whatever a function does.
 */
export type Answer =
  | (Payload & { readonly status?: number; readonly headers?: Readonly<Record<string, string>> })
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | Uint8Array | readonly (string | Uint8Array)[];
      /** Leaves the response open behind the body. */
      readonly open?: boolean;
    }
  | "hang"
  | "reset"
  | ((response: ServerResponse, ask: Ask) => void);

export interface Serving extends Place {
  readonly url: string;
  readonly resolve: Resolve;
  readonly ca: string;
  readonly asked: readonly Ask[];
  stop(): Promise<void>;
}

/** Starts one. `clock` is the probe's. */
export async function serve(remote: Remote, clock: Clock & { touch(): void }): Promise<Serving> {
  const { listen = "127.0.0.1", host = "mcp.fixture.test", path = "/mcp", plain = false } = remote;
  const { key, cert, ca } = await certificate(remote.certificate ?? "valid");
  const asked: Ask[] = [];
  const counter = new Counter();
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      clock.touch();
      const ask = askOf(request, Buffer.concat(parts).toString(), counter, clock);
      asked.push(ask);
      send(remote.answer?.(ask, place) ?? usual(ask), ask, response);
    });
  };
  const server = plain ? createPlain(onRequest) : createSecure({ key, cert }, onRequest);
  server.listen(0, listen);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const bare = listen === "::1" ? "[::1]" : listen;
  const origin = plain ? `http://${bare}:${port}` : `https://${host}:${port}`;
  const place: Place = { origin, port, clock };
  return {
    ...place,
    url: origin + path,
    ca,
    asked,
    resolve: remote.resolve ?? toHere(listen),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const toHere =
  (address: string): Resolve =>
  async (name) => {
    if (name.endsWith("fixture.test")) return [{ address, family: address === "::1" ? 6 : 4 }];
    throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" });
  };

function askOf(request: IncomingMessage, body: string, counter: Counter, clock: Clock): Ask {
  return {
    ...counter.read(body, clock.now()),
    http: request.method ?? "",
    host: (request.headers.host ?? "").replace(/:\d+$/, ""),
    path: request.url ?? "",
    headers: request.headers as Ask["headers"],
  };
}

function usual(ask: Ask): Answer {
  if (ask.http !== "POST") return { status: 405 };
  return healthy(ask) ?? { status: 202 };
}

function send(answer: Answer, ask: Ask, response: ServerResponse): void {
  if (answer === "hang") return;
  if (answer === "reset") return void response.socket?.destroy();
  if (typeof answer === "function") return answer(response, ask);
  if ("result" in answer || "error" in answer) {
    const { status = 200, headers, ...payload } = answer;
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(reply(ask.id, payload));
    return;
  }
  const { status = 200, headers = {}, body = [], open = false } = answer;
  response.writeHead(status, { ...headers });
  response.socket?.setNoDelay(true);
  const pieces = typeof body === "string" || body instanceof Uint8Array ? [body] : body;
  const bytes = pieces.map((piece) => (typeof piece === "string" ? filled(piece, ask) : piece));
  writeApart(response, bytes, () => open || response.end());
}

/** Each piece in a round of the event loop of its own, so that it leaves as a segment of its own. */
function writeApart(
  response: ServerResponse,
  [piece, ...rest]: readonly (string | Uint8Array)[],
  done: () => void,
): void {
  if (piece === undefined) return done();
  response.write(piece, () => setImmediate(() => writeApart(response, rest, done)));
}
