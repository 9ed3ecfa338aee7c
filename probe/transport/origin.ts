/**
 * HTTP requests to one origin, over connections that a connector opened and checked. Built on
 * `node:http`, which hands over heads as they came, follows nothing, decodes nothing, passes over
 * interim answers such as 103, and says whether a connection had been used before.
 */
import { Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import type { Socket } from "node:net";
import { limit } from "../rules.ts";
import type { Connector } from "./connect.ts";

/** Parallel connections: one for the request, the others for answers to the server meanwhile. */
const CONNECTIONS = 4;

export interface HttpMessage {
  readonly method: string;
  readonly url: URL;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** A request under way. */
export interface Asking {
  /** The head of the answer; its body is still to be read. */
  readonly response: Promise<IncomingMessage>;
  /** It left on a connection that the server had closed meanwhile: not a byte came back. */
  isStale(): boolean;
  abort(): void;
}

export class Origin {
  readonly connector: Connector;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  /** The connection that `open` made, until the first request takes it. */
  #first: Socket | undefined;

  constructor(connector: Connector) {
    this.connector = connector;
    this.#agent.createConnection = (_options, done) => {
      void this.#takeConnection().then((socket) => {
        if (socket) done?.(null, socket);
        else done?.(NO_CONNECTION, undefined as never);
      });
      return undefined;
    };
  }

  /** Connects ahead of the first request. */
  async open(): Promise<boolean> {
    this.#first ??= await this.connector.connect();
    return this.#first !== undefined;
  }

  ask({ method, url, headers, body }: HttpMessage): Asking {
    const length: [string, string][] =
      body === "" ? [] : [["content-length", String(Buffer.byteLength(body))]];
    const request = requestHttp({
      agent: this.#agent,
      method,
      path: url.pathname + url.search,
      headers: [["host", url.host], ...headers, ...length].flat(),
      maxHeaderSize: limit("head"),
    });
    let came = false;
    request.once("socket", (socket: Socket) => socket.once("data", () => (came = true)));
    const response = headOf(request);
    request.end(body);
    return {
      response,
      isStale: () => request.reusedSocket && !came,
      abort: () => request.destroy(),
    };
  }

  /** Makes sure that the next request leaves on a new connection. */
  forget(used?: Socket): void {
    used?.destroy();
    for (const socket of Object.values(this.#agent.freeSockets).flat()) socket?.destroy();
  }

  close(): void {
    this.connector.close();
    this.#agent.destroy();
  }

  async #takeConnection(): Promise<Socket | undefined> {
    const ready = this.#first;
    this.#first = undefined;
    return ready && !ready.destroyed ? ready : this.connector.connect();
  }
}

const NO_CONNECTION = Object.assign(new Error("no further connection"), { code: "ECONNREFUSED" });

/** The headers of an answer as they came: names, order and repetitions. */
export function headersOf({ rawHeaders }: IncomingMessage): [string, string][] {
  const list: [string, string][] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    list.push([rawHeaders[i]!, rawHeaders[i + 1]!]);
  return list;
}

function headOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // The listeners stay: an error that nobody listens to ends the process.
    request.on("error", reject);
    let answered = false;
    request.once("response", (response) => {
      answered = true;
      resolve(response);
    });
    request.once("upgrade", (_response, socket) => {
      socket.destroy();
      const error = new Error("switched protocols although nobody asked");
      reject(Object.assign(error, { code: "EPROTO" }));
    });
    request.once("close", () => {
      // Every request closes in the end; the trace of an error would cost more than the rest of it.
      if (answered) return;
      reject(Object.assign(new Error("closed by the server"), { code: "ECONNRESET" }));
    });
  });
}
