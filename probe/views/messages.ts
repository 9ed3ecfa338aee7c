/** The messages that a server sent, over whatever carried them, in the order they were complete. */
import type { EventRef } from "../check.ts";
import { limit } from "../rules.ts";
import { concat } from "../transcript/body.ts";
import type { Channel, Event, EventOf } from "../transcript/schema.ts";
import { codingsOf } from "./codings.ts";
import { type Frame, type Framer, httpFramer, lineFramer } from "./framing.ts";
import { isObject, isShortId, own, parseJson, weightOf } from "./json.ts";
import { Parsed } from "./parsed.ts";
import { type Claim, claimsOf } from "./replies.ts";
import { view } from "./view.ts";

/** Text and JSON are read again when they are asked for: a message can be too large to be kept. */
export interface Message extends Pick<Frame, "text" | "bom" | "sse"> {
  readonly channel: Channel;
  /** The event that completed it. */
  readonly ref: EventRef;
  readonly at: number;
  /** The parsed text; undefined when it is not JSON. */
  readonly json: unknown;
  readonly shape: Shape;
  /** The id, where it is one that we could have sent. */
  readonly id: string | number | undefined;
  /** What in it may be the answer to a request. */
  readonly claims: readonly Claim[];
}

/**
 * `response` may still be a faulty one; `other` is JSON that cannot be a message, `malformed` is not
 * JSON, `ignored` is no message by the rules of the stream (blank line, foreign or empty event).
 */
export type Shape =
  "request" | "notification" | "response" | "batch" | "other" | "malformed" | "ignored";

/** What there was too much of in one attempt, to be read any further. */
export type Excess = "messages" | "values";

const RESPONSE_MEMBERS = new Set(["jsonrpc", "id", "result", "error"]);

function shapeOf(json: unknown): Shape {
  if (json === undefined) return "malformed";
  if (Array.isArray(json)) return "batch";
  if (!isObject(json)) return "other";
  if (Object.hasOwn(json, "method")) return Object.hasOwn(json, "id") ? "request" : "notification";
  if (json["jsonrpc"] === "2.0") return "response";
  // A log record may carry an id and a result of its own; only a bare envelope passes for a response.
  const members = Object.keys(json);
  const bare = members.length > 0 && members.every((member) => RESPONSE_MEMBERS.has(member));
  return bare ? "response" : "other";
}

function isIgnored(frame: Frame): boolean {
  const event = frame.sse?.event;
  return frame.text.trim() === "" || (event !== undefined && event !== "message");
}

/** Whether a content type is that of a stream of events. */
export const isEventStream = (type: string | undefined): boolean =>
  /^\s*text\/event-stream\b/i.test(type ?? "");

/** How many bytes of a body without a useful media type are looked at before it counts as opaque. */
const SNIFF_BYTES = 1024;

/** About what a small value costs in memory beyond its text. */
const BYTES_A_VALUE = 50;

export interface MessageReader {
  /** What an event completes; also for bytes that joined an event which it took before. */
  take(event: Event, ref: EventRef): readonly Message[];
  /** What outgrew its limit; from then on nothing is read. */
  readonly excess: Excess | undefined;
}

/** Reads messages out of events as they come. */
export function messageReader(): MessageReader {
  const framers = new Map<Channel, Framer | "opaque">([["stdout", lineFramer()]]);
  const contentTypes = new Map<Channel, string | undefined>();
  const starts = new Map<Channel, Uint8Array>();
  /** How much of the last event of each channel was read. */
  const taken = new Map<Channel, { readonly ref: EventRef; readonly bytes: number }>();
  let excess: Excess | undefined;
  let count = 0;
  let values = 0;
  const encoded = new Set<Channel>();

  function push(event: EventOf<"received" | "decoded">, ref: EventRef): readonly Frame[] {
    const { channel, data } = event;
    const last = taken.get(channel);
    const offset = last?.ref === ref ? last.bytes : 0;
    taken.set(channel, { ref, bytes: data.length });
    const bytes = data.subarray(offset);
    const known = framers.get(channel);
    if (known === "opaque" || channel === "stderr") return [];
    if (known) return known.push(bytes, event, offset);
    const start = concat([starts.get(channel) ?? new Uint8Array(), bytes]);
    const framer = httpFramer(contentTypes.get(channel), start);
    if (framer || start.length >= SNIFF_BYTES) {
      framers.set(channel, framer ?? "opaque");
      starts.delete(channel);
      return framer?.push(start) ?? [];
    }
    starts.set(channel, start);
    return [];
  }

  function end(channel: Channel): readonly Frame[] {
    const framer = framers.get(channel);
    return framer === undefined || framer === "opaque" ? [] : framer.end();
  }

  function messageOf(frame: Frame, channel: Channel, ref: EventRef, at: number) {
    if (excess) return [];
    const ignored = isIgnored(frame);
    const weight = ignored ? 0 : weightOf(frame.text);
    values += weight;
    if (values > limit("message-values")) excess = "values";
    if (excess) return [];
    const json = ignored ? undefined : parseJson(frame.text);
    const shape = ignored ? "ignored" : shapeOf(json);
    // What is no message counts as well: comments without an end must not keep us for ever.
    count += frame.skipped ?? 0;
    count += Array.isArray(json) ? Math.max(1, json.length) : 1;
    if (count > limit("messages")) excess = "messages";
    if (excess) return [];
    return [new ReadMessage(frame, { channel, ref, at, shape, json, weight })];
  }

  return {
    get excess() {
      return excess;
    },
    take(event, ref) {
      if (event.type === "responded") {
        contentTypes.set(event.exchange, headerOf(event.headers, "content-type"));
        if (codingsOf(event).length > 0) encoded.add(event.exchange);
      }
      if (excess) return [];
      if (event.type !== "received" && event.type !== "decoded" && event.type !== "ended")
        return [];
      const { channel, at } = event;
      // Of an encoded body the decoded bytes are read.
      if (event.type === "received" && encoded.has(channel)) return [];
      const frames = event.type === "ended" ? end(channel) : push(event, ref);
      const read = frames.flatMap((frame): readonly Message[] =>
        messageOf(frame, channel, ref, at),
      );
      const framer = framers.get(channel);
      const skipped = framer === undefined || framer === "opaque" ? 0 : (framer.skipped ?? 0);
      if (count + skipped > limit("messages")) excess ??= "messages";
      return read;
    },
  };
}

class ReadMessage implements Message {
  readonly channel: Channel;
  readonly ref: EventRef;
  readonly at: number;
  readonly bom: boolean;
  declare readonly sse?: NonNullable<Frame["sse"]>;
  readonly shape: Shape;
  readonly id: string | number | undefined;
  readonly claims: readonly Claim[];
  readonly #parsed: Parsed;

  constructor(
    { text, bom, sse, again }: Frame,
    {
      channel,
      ref,
      at,
      shape,
      json,
      weight,
    }: Pick<Message, "channel" | "ref" | "at"> &
      Pick<Message, "shape" | "json"> & { readonly weight: number },
  ) {
    this.channel = channel;
    this.ref = ref;
    this.at = at;
    this.bom = bom;
    if (sse) this.sse = sse;
    this.shape = shape;
    const id = own(json, "id");
    this.id = isShortId(id) ? id : undefined;
    this.claims = shape === "response" || shape === "batch" ? claimsOf(json) : [];
    this.#parsed = new Parsed(again, json, text.length + weight * BYTES_A_VALUE);
  }

  get text(): string {
    return this.#parsed.text();
  }

  get json(): unknown {
    return this.shape === "ignored" || this.shape === "malformed" ? undefined : this.#parsed.json();
  }
}

/** A header's value; names compare without case, the first one counts. */
export function headerOf(
  headers: readonly (readonly [string, string])[],
  name: string,
): string | undefined {
  return headers.find(([key]) => key.toLowerCase() === name)?.[1];
}

/** Every message of a transcript. */
export const messages = view((transcript): readonly Message[] => {
  const reader = messageReader();
  return transcript.events.flatMap((event, ref) => reader.take(event, ref));
});
