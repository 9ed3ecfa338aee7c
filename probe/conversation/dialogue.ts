/**
 * Asking and waiting. Sends requests over a transport, listens to what the recorder writes down, and
 * returns each exchange as soon as it is settled: answered, ended by the peer, or past its deadline.
 * While it waits it answers the server's own requests.
 */
import { type Clock, sleep } from "../clock.ts";
import type { EventRef } from "../check.ts";
import { limit } from "../rules.ts";
import type { Recorder } from "../transcript/recorder.ts";
import type { Channel, Event } from "../transcript/schema.ts";
import type { Outgoing, Transport } from "../transport/transport.ts";
import { type Exchange, exchangeOf, METHOD_NOT_FOUND } from "../views/exchanges.ts";
import { endpointsIn, isEndpoint } from "../views/event-stream.ts";
import { gateOf } from "../views/gates.ts";
import { own } from "../views/json.ts";
import { type Message, messageReader } from "../views/messages.ts";
import { BATTERY } from "../views/no-reply.ts";
import { retryAfter } from "../views/retry-after.ts";
import { type Place, type Resumption, resumptionOf } from "./resumption.ts";
import { CONTENT_HEADERS, sessionIn } from "./wire.ts";

export class Dialogue {
  #transport: Transport;
  readonly #recorder: Recorder;
  readonly #clock: Clock;
  readonly #pace: (() => Promise<void>) | undefined;
  readonly #reader = messageReader();
  readonly #messages: Message[] = [];
  /** By number of a hop: the exchange that it belongs to. */
  readonly #roots = new Map<number, number>();
  /** Where the stream of an exchange stands, by the last event of it that had an id. */
  readonly #places = new Map<number, Place>();
  readonly #startedAt: number;
  /** Who waits for what happens, by number of exchange. */
  readonly #waiting = new Map<number, Set<() => void>>();
  #nextId = 1;
  #answers = 0;
  #stopped = false;
  /** Headers of an answer to the server; undefined while its requests are not answered. */
  #answerHeaders: Outgoing["headers"] | undefined = CONTENT_HEADERS;

  /** `pace` waits until the next request may leave; our answers to the server's own never wait. */
  constructor(transport: Transport, recorder: Recorder, clock: Clock, pace?: () => Promise<void>) {
    this.#transport = transport;
    this.#pace = pace;
    this.#recorder = recorder;
    this.#clock = clock;
    this.#startedAt = clock.now();
    recorder.listen((event, ref) => this.#onEvent(event, ref));
  }

  get transport(): Transport {
    return this.#transport;
  }

  /** Whether the server said too much to be asked anything more. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** Goes on over another transport, when nothing can be asked over the one before. */
  goOnOver(transport: Transport): void {
    this.#transport = transport;
    this.#answerHeaders = CONTENT_HEADERS;
  }

  /** The id of the next request: 1, 2, 3 …, so that ids never make two conversations differ. */
  nextId(): number {
    return this.#nextId++;
  }

  /** Answers the server's requests with these headers from now on, or not at all. */
  answerWith(headers: Outgoing["headers"] | undefined): void {
    this.#answerHeaders = headers;
  }

  /**
   * Sends a request and waits until its exchange is settled, for `ms` at the most. In the battery a
   * server that asks us to slow down is asked once more, after the pause that it names.
   */
  async request(outgoing: Outgoing, ms: number): Promise<Exchange> {
    const exchange = await this.#ask(outgoing, ms);
    const pause = INSIDE.has(outgoing.purpose) ? this.#pauseBefore(exchange) : undefined;
    if (pause === undefined) return exchange;
    await sleep(this.#clock, pause);
    if (!this.transport.alive) return exchange;
    return this.#ask({ ...outgoing, continues: exchange.number }, ms);
  }

  /**
   * Sends what needs no answer and goes on listening to it in the background. Resolves when the
   * server took it, so that what is sent next cannot overtake it on another connection; one that
   * says nothing holds us up for a moment only.
   */
  async notify(outgoing: Outgoing): Promise<void> {
    if (outgoing.purpose !== "answer") await this.#pace?.();
    const exchange = this.transport.send(outgoing);
    if (this.transport.kind === "stdio") return;
    void this.#settle(exchange, limit("notification"), hasEnded);
    await this.#heard(exchange);
  }

  async #ask(outgoing: Outgoing, ms: number): Promise<Exchange> {
    await this.#pace?.();
    return this.#settle(this.transport.send(outgoing), ms, isSettled, outgoing);
  }

  /** The pause that a server asks for, if it can be granted. */
  #pauseBefore(exchange: Exchange): number | undefined {
    if (gateOf(exchange)?.reason !== "rate-limited") return undefined;
    const pause = retryAfter(exchange, this.#clock.now());
    if (pause === undefined || pause > limit("retry-after")) return undefined;
    const over = this.#startedAt + limit("target");
    return this.#clock.now() + pause < over ? pause : undefined;
  }

  #settle(
    number: number,
    ms: number,
    settled: (exchange: Exchange) => boolean | "soon",
    request?: Outgoing,
  ): Promise<Exchange> {
    return new Promise((resolve) => {
      let grace: (() => void) | undefined;
      let pause: (() => void) | undefined;
      let over = false;
      const finish = (): void => {
        over = true;
        unwatch();
        cancel();
        grace?.();
        pause?.();
        this.transport.release(number);
        resolve(this.#exchange(number));
      };
      const takeUp = async (outgoing: Outgoing): Promise<void> => {
        await this.#pace?.();
        pause = undefined;
        if (over) return;
        if (this.transport.alive) this.transport.send(outgoing);
        else finish();
      };
      const look = (): void => {
        // Between two hops nothing is settled yet.
        if (pause || this.transport.carriesOn?.(number)) return;
        const exchange = this.#exchange(number);
        const resume = request && this.#resumption(exchange, request);
        if (resume) {
          pause = this.#clock.after(resume.after, () => void takeUp(resume.outgoing));
          return;
        }
        const state = settled(exchange);
        if (state === true) finish();
        if (state === "soon") grace ??= this.#clock.after(limit("candidate-grace"), finish);
      };
      const cancel = this.#clock.after(ms, () => {
        this.#recorder.add("timed-out", { exchange: number, after: ms });
        finish();
      });
      const unwatch = this.#watch(number, look);
      look();
    });
  }

  #resumption(exchange: Exchange, request: Outgoing): Resumption | undefined {
    if (this.transport.kind !== "streamable-http") return undefined;
    return resumptionOf(exchange, request, this.#places.get(exchange.number));
  }

  #heard(number: number): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        unwatch();
        cancel();
        resolve();
      };
      const look = (): void => {
        const { response, end } = this.#exchange(number);
        if ((response || end) && !this.transport.carriesOn?.(number)) finish();
      };
      const cancel = this.#clock.after(limit("notification-taken"), finish);
      const unwatch = this.#watch(number, look);
    });
  }

  #exchange(number: number): Exchange {
    return exchangeOf(this.#recorder.events, this.#messages, number);
  }

  /** Calls `look` when something happened to an exchange, until the returned function is called. */
  #watch(number: number, look: () => void): () => void {
    const root = this.#rootOf(number);
    const looks = this.#waiting.get(root) ?? new Set();
    this.#waiting.set(root, looks.add(look));
    return () => {
      looks.delete(look);
      if (looks.size === 0) this.#waiting.delete(root);
    };
  }

  #onEvent(event: Event, ref: EventRef): void {
    if (event.type === "sent" && event.continues !== undefined) {
      this.#roots.set(event.exchange, this.#rootOf(event.continues));
    }
    const fresh = this.#reader.take(event, ref);
    for (const message of fresh) this.#note(message);
    if (this.#reader.excess && "channel" in event) this.#stopReading(event.channel);
    if (event.type === "capped" && event.of !== undefined) {
      this.#stopped = true;
      void this.transport.close();
    }
    // Nothing else is looked up later; an endless logger must not fill memory.
    this.#messages.push(...fresh.filter(mayReply));
    for (const message of fresh)
      for (const json of requestsIn(message)) this.#answer(json, message);
    // Noise and pieces of messages settle nothing; looking at every one of them would add up.
    if (fresh.some(mayReply) || (event.type !== "received" && event.type !== "sent")) {
      for (const look of this.#concernedBy(event)) look();
    }
  }

  /** The server said more than we read in one attempt: there is nothing to wait for any more. */
  #stopReading(channel: Channel): void {
    const of = this.#reader.excess;
    if (this.#stopped || !of) return;
    this.#stopped = true;
    const most = limit(of === "messages" ? "messages" : "message-values");
    this.#recorder.add("capped", { channel, limit: most, of });
  }

  #rootOf(number: number): number {
    return this.#roots.get(number) ?? number;
  }

  /** Remembers how far a stream has come. */
  #note({ sse, channel }: Message): void {
    if (!sse || typeof channel !== "number") return;
    const root = this.#rootOf(channel);
    this.#places.set(root, { ...this.#places.get(root), ...sse });
  }

  /** Who waits for the exchange of an event; for what belongs to no single one, everybody. */
  #concernedBy(event: Event): readonly (() => void)[] {
    const number =
      "exchange" in event ? event.exchange : "channel" in event ? event.channel : undefined;
    const own = typeof number === "number" ? this.#waiting.get(this.#rootOf(number)) : undefined;
    return own ? [...own] : [...this.#waiting.values()].flatMap((looks) => [...looks]);
  }

  /** We declare no capabilities, so a ping is granted and everything else refused, but at once. */
  #answer(json: unknown, { channel }: Message): void {
    const id = own(json, "id");
    // No other type can be an id; and deep nesting could not be written out again.
    if (typeof id !== "string" && typeof id !== "number") return;
    if (!this.#answerHeaders || this.#answers >= limit("answers")) return;
    this.#answers += 1;
    const refusal = { error: { code: METHOD_NOT_FOUND, message: "Method not found" } };
    const payload = own(json, "method") === "ping" ? { result: {} } : refusal;
    const body = JSON.stringify({ jsonrpc: "2.0", id, ...payload });
    // A server may ping before it has answered the opening: the session is known from its head.
    const response = typeof channel === "number" ? this.#exchange(channel).response : undefined;
    const session = sessionIn(response);
    const headers = {
      ...(session === undefined ? {} : { "mcp-session-id": session }),
      ...this.#answerHeaders,
    };
    void this.notify({ purpose: "answer", body, headers });
  }
}

/** The purposes of requests after the opening: the battery, and another session in the middle of it. */
const INSIDE: ReadonlySet<string> = new Set([...BATTERY, "reopening"]);

/** `soon` when the only reply so far has a faulty envelope and a better one may follow. */
function isSettled(exchange: Exchange): boolean | "soon" {
  if (exchange.reply?.exact || exchange.end) return true;
  // What follows on such a stream is no reply to a POST: it was opened as if by a GET.
  if (endpointsIn(exchange).length > 0) return true;
  return exchange.reply ? "soon" : false;
}

/** The server's own requests in a message; version 2025-03-26 lets it send several at once. */
function requestsIn(message: Message): readonly unknown[] {
  if (message.shape === "request") return [message.json];
  if (message.shape !== "batch") return [];
  return (message.json as unknown[]).filter((json) => own(json, "method") !== undefined);
}

const hasEnded = (exchange: Exchange): boolean => exchange.end !== undefined;

const mayReply = (message: Message): boolean =>
  message.shape === "response" || message.shape === "batch" || isEndpoint(message);
