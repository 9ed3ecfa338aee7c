/** The only maker of events. What it is told it writes down, with the time, and tells its listeners. */
import { createHash } from "node:crypto";
import type { Clock } from "../clock.ts";
import type { EventRef } from "../check.ts";
import { keepsHeaderValue } from "../rules.ts";
import {
  type Channel,
  type Event,
  type EventOf,
  type EventType,
  type Transcript,
  TRANSCRIPT_FORMAT,
} from "./schema.ts";

/** What an attempt is about; everything of a transcript but its times and events. */
export type Subject = Omit<Transcript, "format" | "startedAt" | "events">;

type Untimed<T extends EventType> = Omit<EventOf<T>, "type" | "at">;
type Headers = EventOf<"responded">["headers"];

export class Recorder {
  readonly #subject: Subject;
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #events: Event[] = [];
  readonly #listeners: ((event: Event, ref: EventRef) => void)[] = [];
  #exchanges = 0;
  #connections = 0;

  constructor(subject: Subject, clock: Clock) {
    this.#subject = subject;
    this.#clock = clock;
    this.#startedAt = clock.now();
  }

  /** Calls `listener` after every event from now on. */
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
    const event = { type, at: this.#clock.now() - this.#startedAt, ...what } as unknown as Event;
    if ("headers" in event) event.headers = event.headers.map(publishable);
    if (event.type === "sent" && event.http) {
      event.http = { ...event.http, headers: event.http.headers.map(publishable) };
    }
    this.#events.push(event);
    const ref = this.#events.length - 1;
    for (const listener of this.#listeners) listener(event, ref);
  }

  /** Writes received bytes down; a copy, since buffers of the platform are reused. */
  received(channel: Channel, data: Uint8Array): void {
    this.add("received", { channel, data: Uint8Array.from(data) });
  }

  /** The record so far. */
  transcript(): Transcript {
    return {
      format: TRANSCRIPT_FORMAT,
      ...this.#subject,
      startedAt: new Date(this.#startedAt).toISOString(),
      events: [...this.#events],
    };
  }
}

/** A header as a transcript may show it: the name always, the value when the public list allows it. */
function publishable([name, value]: Headers[number]): Headers[number] {
  if (keepsHeaderValue(name)) return [name, value];
  return [name, `sha256:${createHash("sha256").update(value).digest("hex").slice(0, 8)}`];
}
