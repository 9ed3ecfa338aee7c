/** Records that mean the same as another: cut elsewhere, or with a notification more. */
import { bytesOf, concat } from "../../transcript/body.ts";
import type { Channel, Event, Transcript } from "../../transcript/schema.ts";
import { headerOf } from "../../views/messages.ts";

/** A record, and for each of its events the place in the original that it is part of. */
export interface Variant {
  readonly transcript: Transcript;
  readonly places: readonly number[];
}

/** A copy with bytes of its own, so that nothing computed before is known of it. */
export const copyOf = (transcript: Transcript): Transcript => ({
  ...transcript,
  events: transcript.events.map((event) =>
    "data" in event ? { ...event, data: event.data.slice() } : { ...event },
  ),
});

/** Numbers from 0 on, from a seed; the same seed gives the same numbers. */
function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1;
  return (below) => {
    // https://en.wikipedia.org/wiki/Xorshift
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** The same bytes at the same times, cut into other pieces; some are empty. */
export function recut(transcript: Transcript, seed: number): Variant {
  const next = numbers(seed);
  const single = seed % 3 === 0;
  const events: Event[] = [];
  const places: number[] = [];
  transcript.events.forEach((event, place) => {
    const parts = event.type === "received" ? cut(event.data, next, single) : [undefined];
    for (const data of parts) {
      events.push(data === undefined ? event : ({ ...event, data } as Event));
      places.push(place);
    }
  });
  return { transcript: copyOf({ ...transcript, events }), places };
}

/** Longer bodies are not cut into single bytes: that would only take time. */
const SINGLE_BELOW = 300;

function cut(data: Uint8Array, next: (below: number) => number, single: boolean): Uint8Array[] {
  if (single && data.length < SINGLE_BELOW && data.length > 0) {
    return Array.from(data, (byte) => Uint8Array.of(byte));
  }
  const cuts = Array.from({ length: next(6) }, () => next(data.length + 1)).sort((a, b) => a - b);
  return [0, ...cuts].map((from, index) => data.slice(from, cuts[index] ?? data.length));
}

const NOTIFICATION = JSON.stringify({
  jsonrpc: "2.0",
  method: "notifications/message",
  params: { level: "info", data: "nothing of interest" },
});

/**
 * The record with a notification more, after a message that is complete on a channel that carries
 * any number of them; undefined where there is no such place.
 */
export function notified(transcript: Transcript, seed: number): Transcript | undefined {
  const places = cleanPlaces(transcript.events);
  const place = places[seed % places.length];
  const event = place === undefined ? undefined : transcript.events[place];
  if (place === undefined || event?.type !== "received") return undefined;
  const stdout = event.channel === "stdout";
  const data = bytesOf(stdout ? `${NOTIFICATION}\n` : `event: message\ndata: ${NOTIFICATION}\n\n`);
  const events = transcript.events.toSpliced(place + 1, 0, { ...event, data });
  return copyOf({ ...transcript, events });
}

/** The events after which a pipe, or a stream of events, is between two messages. */
function cleanPlaces(events: readonly Event[]): number[] {
  const streams = new Map<Channel, Uint8Array>();
  const eventStreams = new Set<Channel>();
  const places: number[] = [];
  events.forEach((event, place) => {
    if (event.type === "responded" && !streams.has(event.exchange)) {
      const type = headerOf(event.headers, "content-type");
      if (type === "text/event-stream") eventStreams.add(event.exchange);
      else eventStreams.delete(event.exchange);
    }
    if (event.type !== "received") return;
    const bytes = concat([streams.get(event.channel) ?? new Uint8Array(), event.data]);
    streams.set(event.channel, bytes);
    const [last, before] = [bytes.at(-1), bytes.at(-2)];
    if (event.channel === "stdout" && last === 0x0a) places.push(place);
    if (eventStreams.has(event.channel) && last === 0x0a && before === 0x0a) places.push(place);
  });
  return places;
}
