/** The only maker of events. What it is told it writes down, with the time, and tells its listeners. */
import { createHash } from "node:crypto";
import type { Clock } from "../clock.ts";
import type { EventRef } from "../check.ts";
import { keepsHeaderValue, limit } from "../rules.ts";
import { Chunk } from "./chunk.ts";
import {
  type Channel,
  type Event,
  type EventOf,
  type EventType,
  type Transcript,
  TRANSCRIPT_FORMAT,
} from "./schema.ts";
import { Spool } from "./spool.ts";

/** What an attempt is about; everything of a transcript but its times and events. */
export type Subject = Omit<Transcript, "format" | "startedAt" | "events">;

type Untimed<T extends EventType> = Omit<EventOf<T>, "type" | "at">;
type Headers = EventOf<"responded">["headers"];

/** Messages of ours are shorter, unless they repeat what a server said. */
const SHORT = 1024;

/** A received event that may still grow, and its bytes so far. */
interface Open {
  readonly event: EventOf<"received">;
  readonly ref: EventRef;
  readonly chunk: Chunk;
}

export class Recorder {
  readonly #subject: Subject;
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #events: Event[] = [];
  readonly #listeners: ((event: Event, ref: EventRef) => void)[] = [];
  readonly #spool: Spool;
  /** The last received event of each channel, while nothing but bytes came since. */
  readonly #open = new Map<Channel, Open>();
  /** The disk took no more: nothing is received any longer. */
  #full = false;
  #chunks = 0;
  #exchanges = 0;
  #connections = 0;
  #snapshot: Transcript | undefined;

  constructor(subject: Subject, clock: Clock, spool = new Spool()) {
    this.#spool = spool;
    this.#subject = subject;
    this.#clock = clock;
    this.#startedAt = clock.now();
  }

  /** Calls `listener` after every event from now on, and again when more bytes joined the last one. */
  listen(listener: (event: Event, ref: EventRef) => void): void {
    this.#listeners.push(listener);
  }

  get events(): readonly Event[] {
    return this.#events;
  }

  /** The number of the next exchange. */
  nextExchange(): number {
    return ++this.#exchanges;
  }

  /** The number of the next connection. */
  nextConnection(): number {
    return ++this.#connections;
  }

  /** Writes one event down. */
  add<T extends EventType>(type: T, what: Untimed<T>): void {
    const event = { type, at: this.#now(), ...what } as unknown as Event;
    if ("headers" in event) event.headers = event.headers.map(publishable);
    if (event.type === "sent" && event.http) {
      event.http = { ...event.http, headers: event.http.headers.map(publishable) };
    }
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const { chunk, event } of open) this.#store(chunk, event.channel);
    if ((event.type === "sent" || event.type === "decoded") && event.data.length > SHORT) {
      // A server that makes us repeat its own long words must not fill memory with them either.
      const chunk = new Chunk(this.#spool, event.data);
      chunk.settle(event);
      this.#store(chunk, event.type === "sent" ? event.replies : event.channel);
    }
    this.#tell(event, this.#events.push(event) - 1);
  }

  /**
   * Writes received bytes down; a copy, since buffers of the platform are reused. After so many
   * chunks those that come close together become one event: see `received` in schema.ts.
   */
  received(channel: Channel, data: Uint8Array): void {
    if (this.#full) return;
    const last = this.#open.get(channel);
    if (last && this.#joins(last, data)) {
      last.chunk.add(data);
      this.#tell(last.event, last.ref);
      return;
    }
    if (last && !this.#store(last.chunk, channel)) return;
    this.#chunks += 1;
    const event = { type: "received", at: this.#now(), channel } as EventOf<"received">;
    const chunk = new Chunk(this.#spool, data);
    chunk.settle(event);
    const ref = this.#events.push(event) - 1;
    this.#open.set(channel, { event, ref, chunk });
    this.#tell(event, ref);
  }

  /** The record so far; the same object until something happens, so that it is read only once. */
  transcript(): Transcript {
    this.#snapshot ??= {
      format: TRANSCRIPT_FORMAT,
      ...this.#subject,
      startedAt: new Date(this.#startedAt).toISOString(),
      events: [...this.#events],
    };
    return this.#snapshot;
  }

  /** False when there is no room on our disk: the bytes then stay in memory, and are the last. */
  #store(chunk: Chunk, channel: Channel): boolean {
    if (this.#full) return false;
    try {
      chunk.store();
      return true;
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
      this.#full = true;
      this.add("capped", { channel, limit: this.#spool.size, of: "space" });
      return false;
    }
  }

  #joins({ event, chunk }: Open, data: Uint8Array): boolean {
    return (
      this.#chunks >= limit("exact-chunks") &&
      this.#now() - event.at < limit("chunk-resolution") &&
      chunk.length + data.length <= limit("chunk")
    );
  }

  #now(): number {
    return this.#clock.now() - this.#startedAt;
  }

  #tell(event: Event, ref: EventRef): void {
    this.#snapshot = undefined;
    for (const listener of this.#listeners) listener(event, ref);
  }
}

/** A header as a transcript may show it: the name always, the value when the public list allows it. */
function publishable([name, value]: Headers[number]): Headers[number] {
  if (keepsHeaderValue(name)) return [name, value];
  return [name, `sha256:${createHash("sha256").update(value).digest("hex").slice(0, 8)}`];
}
