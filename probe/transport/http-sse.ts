/**
 * HTTP+SSE of protocol 2024-11-05: a GET opens a stream of events, the first of which names a URL;
 * every message is POSTed there, and its reply is an event of the stream.
 */
import type { Clock } from "../clock.ts";
import type { EventRef } from "../check.ts";
import { limit } from "../rules.ts";
import type { Recorder } from "../transcript/recorder.ts";
import type { Event } from "../transcript/schema.ts";
import { isEndpoint } from "../views/event-stream.ts";
import { messageReader } from "../views/messages.ts";
import { type HttpOptions, StreamableHttp } from "./streamable-http.ts";
import type { Outgoing, Transport } from "./transport.ts";

export class HttpSse implements Transport {
  readonly kind = "http-sse";
  /** Where the stream is: of the listing, or where redirects of the GET led. */
  #url: URL;
  readonly #recorder: Recorder;
  readonly #clock: Clock;
  readonly #pace: HttpOptions["pace"];
  /** Makes the requests; what differs is where they go and where their replies come. */
  readonly #http: StreamableHttp;
  /** The views read with the same reader, so what is an endpoint here is one there. */
  readonly #reader = messageReader();
  /** The exchange of the GET, and the hop of it whose body is the stream. */
  #get: number | undefined;
  #stream: number | undefined;
  /** The GET was answered with a status of success. */
  #granted = false;
  #streaming = false;
  #heardEndpoint = false;
  #endpoint: URL | undefined;
  /** Called when the first endpoint event came, or the stream ended. */
  #settled: () => void = () => {};

  constructor(url: string, recorder: Recorder, clock: Clock, options: HttpOptions = {}) {
    this.#url = new URL(url);
    this.#recorder = recorder;
    this.#clock = clock;
    this.#pace = options.pace;
    this.#http = new StreamableHttp(url, recorder, clock, options);
    recorder.listen((event, ref) => this.#onEvent(event, ref));
  }

  get alive(): boolean {
    return this.#http.alive && this.#streaming;
  }

  /** Opens the stream and waits for an endpoint that may be POSTed to. */
  async open(): Promise<boolean> {
    if (!(await this.#http.open())) return false;
    await this.#pace?.();
    const settled = new Promise<void>((resolve) => (this.#settled = resolve));
    this.#streaming = true;
    const accept = "text/event-stream";
    const get = { purpose: "stream", method: "GET", body: "", headers: { accept } } as const;
    const exchange = this.#http.send(get);
    this.#get ??= exchange;
    this.#stream ??= exchange;
    const after = limit("endpoint");
    const cancel = this.#clock.after(after, () => {
      this.#recorder.add("timed-out", { exchange, after });
    });
    await settled;
    cancel();
    return this.#endpoint !== undefined;
  }

  send(outgoing: Outgoing): number {
    if (this.#endpoint !== undefined && this.#stream !== undefined && this.alive) {
      return this.#http.send(outgoing, { url: this.#endpoint, replies: this.#stream });
    }
    // Without the stream no reply can come.
    const exchange = this.#recorder.nextExchange();
    this.#recorder.add("sent", {
      exchange,
      purpose: outgoing.purpose,
      ...(outgoing.continues === undefined ? {} : { continues: outgoing.continues }),
      replies: this.#stream ?? exchange,
      data: Buffer.from(outgoing.body),
    });
    const fault = { code: "EPIPE", message: "the event stream has ended" };
    this.#recorder.add("broke", { exchange, fault });
    return exchange;
  }

  carriesOn(exchange: number): boolean {
    return this.#http.carriesOn(exchange);
  }

  release(exchange: number): void {
    this.#http.release(exchange);
  }

  async close(): Promise<void> {
    await this.#http.close();
  }

  #onEvent(event: Event, ref: EventRef): void {
    if (event.type === "sent" && event.purpose === "stream") {
      this.#get ??= event.exchange;
      this.#stream = event.exchange;
      if (event.http) this.#url = new URL(event.http.url);
      return;
    }
    const about = "channel" in event ? event.channel : "exchange" in event ? event.exchange : null;
    if (about !== this.#stream && about !== this.#get) return;
    if (event.type === "responded") this.#granted = event.status < 300;
    for (const message of this.#reader.take(event, ref)) {
      if (this.#granted && isEndpoint(message)) this.#announced(message.text);
    }
    // Between two hops the stream has not ended, unless its time is over.
    const goesOn = event.type !== "timed-out" && this.#http.carriesOn(this.#get!);
    if (ENDS.has(event.type) && !goesOn) {
      this.#streaming = false;
      this.#settled();
    }
  }

  /** The newest endpoint counts, as for the official client. One of another origin never does. */
  #announced(text: string): void {
    const isFirst = !this.#heardEndpoint;
    this.#heardEndpoint = true;
    const url = URL.parse(text, this.#url.href);
    if (url?.origin === this.#url.origin && (isFirst || this.#endpoint)) {
      // What a request does not carry is not to stand in its record either.
      url.username = url.password = url.hash = "";
      this.#endpoint = url;
    }
    this.#settled();
  }
}

const ENDS: ReadonlySet<Event["type"]> = new Set([
  "ended",
  "broke",
  "capped",
  "timed-out",
  "closed",
]);
