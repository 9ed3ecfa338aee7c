/** Streamable HTTP, both eras: every message is a POST, its answer is that POST's own response. */
import { type buildConnector, Pool } from "undici";
import type { Clock } from "../clock.ts";
import { limit } from "../rules.ts";
import type { Recorder } from "../transcript/recorder.ts";
import type { Socket } from "node:net";
import { USER_AGENT } from "../identity.ts";
import { passedLimit } from "./caps.ts";
import { type ConnectOptions, Connector } from "./connect.ts";
import { faultOf } from "./fault.ts";
import type { Outgoing, Transport } from "./transport.ts";

/** Parallel connections: one for the request, the others for answers to the server meanwhile. */
const CONNECTIONS = 4;

export class StreamableHttp implements Transport {
  readonly kind = "streamable-http";
  readonly #url: URL;
  readonly #recorder: Recorder;
  readonly #pool: Pool;
  readonly #connector: Connector;
  readonly #clock: Clock;
  readonly #open = new Map<number, AbortController>();
  /** The connection that `open` made, until the first request takes it. */
  #first: Socket | undefined;
  #closed = false;
  /** Bytes of all bodies of the attempt. */
  #total = 0;

  constructor(url: string, recorder: Recorder, clock: Clock, options: ConnectOptions = {}) {
    this.#url = new URL(url);
    this.#recorder = recorder;
    this.#clock = clock;
    this.#connector = new Connector(this.#url, recorder, clock, options);
    this.#pool = new Pool(this.#url.origin, {
      connections: CONNECTIONS,
      pipelining: 1,
      allowH2: false,
      // Deadlines are the conversation's: the record has to say who ended an exchange.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (_options, done) => void this.#takeConnection(done),
    });
  }

  get alive(): boolean {
    return !this.#closed && this.#total <= limit("attempt");
  }

  async open(): Promise<boolean> {
    this.#first = await this.#connector.connect();
    return this.#first !== undefined;
  }

  send(outgoing: Outgoing): number {
    const exchange = this.#recorder.nextExchange();
    const method = outgoing.method ?? "POST";
    const headers: [string, string][] = [
      ["user-agent", USER_AGENT],
      ["accept-encoding", "identity"],
      ...Object.entries(outgoing.headers),
    ];
    this.#recorder.add("sent", {
      exchange,
      purpose: outgoing.purpose,
      replies: exchange,
      http: { method, url: this.#url.href, headers },
      data: Buffer.from(outgoing.body),
    });
    const abort = new AbortController();
    this.#open.set(exchange, abort);
    void this.#receive(exchange, method, headers, outgoing.body, abort.signal);
    return exchange;
  }

  /** Most servers end the stream right behind the reply: then the connection can be used again. */
  release(exchange: number): void {
    if (this.#open.has(exchange)) {
      this.#clock.after(limit("linger"), () => this.#cut(exchange));
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const exchange of this.#open.keys()) this.#cut(exchange);
    this.#connector.close();
    await this.#pool.destroy();
  }

  #cut(exchange: number): void {
    const abort = this.#open.get(exchange);
    if (!abort) return;
    this.#open.delete(exchange);
    this.#recorder.add("closed", { exchange });
    abort.abort();
  }

  async #receive(
    exchange: number,
    method: string,
    headers: readonly [string, string][],
    body: string,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      const response = await this.#pool.request({
        method: method as "POST",
        path: this.#url.pathname + this.#url.search,
        headers: headers.flat(),
        body: body === "" ? null : body,
        responseHeaders: "raw",
        signal,
      });
      if (!this.#open.has(exchange)) return;
      const raw = response.headers as unknown as readonly Buffer[];
      this.#recorder.add("responded", {
        exchange,
        status: response.statusCode,
        headers: pairs(raw.map((part) => part.toString("latin1"))),
      });
      const whole = await this.#readBody(exchange, response.body);
      if (this.#open.delete(exchange) && whole) this.#recorder.add("ended", { channel: exchange });
    } catch (error) {
      // An exchange that is no longer open was cut by us, and that is on record.
      if (this.#open.delete(exchange)) {
        this.#recorder.add("broke", { exchange, fault: faultOf(error) });
      }
    }
  }

  /** Records a body as it comes; false when it outgrew the cap and was cut. */
  async #readBody(exchange: number, body: AsyncIterable<Uint8Array>): Promise<boolean> {
    let size = 0;
    for await (const chunk of body) {
      // What arrives while an abort is on its way is no longer part of the conversation.
      if (!this.#open.has(exchange)) return false;
      this.#recorder.received(exchange, chunk);
      size += chunk.length;
      this.#total += chunk.length;
      const passed = passedLimit(size, this.#total);
      if (passed !== undefined) {
        this.#recorder.add("capped", { channel: exchange, limit: passed });
        return false;
      }
    }
    return true;
  }

  async #takeConnection(done: buildConnector.Callback): Promise<void> {
    const ready = this.#first;
    this.#first = undefined;
    // undici loses a socket that is handed over before its own call has returned.
    await Promise.resolve();
    const socket = ready && !ready.destroyed ? ready : await this.#connector.connect();
    if (socket) done(null, socket);
    else done(Object.assign(new Error("no further connection"), { code: "ECONNREFUSED" }), null);
  }
}

/** A flat list of names and values, two by two. */
function pairs(flat: readonly string[]): [string, string][] {
  const list: [string, string][] = [];
  for (let i = 0; i + 1 < flat.length; i += 2) list.push([flat[i]!, flat[i + 1]!]);
  return list;
}
