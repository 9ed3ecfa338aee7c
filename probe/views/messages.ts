/** The messages that a server sent, over whatever carried them, in the order they were complete. */
import type { EventRef } from "../check.ts";
import { concat } from "../transcript/body.ts";
import type { Channel, Event } from "../transcript/schema.ts";
import { codingsOf } from "./codings.ts";
import { type Frame, type Framer, httpFramer, lineFramer } from "./framing.ts";
import { isObject, parseJson } from "./json.ts";
import { view } from "./view.ts";

export interface Message extends Frame {
  readonly channel: Channel;
  /** The event that completed it. */
  readonly ref: EventRef;
  readonly at: number;
  /** The parsed text; undefined when it is not JSON. */
  readonly json: unknown;
  readonly shape: Shape;
}

/**
 * `response` may still be a faulty one; `other` is JSON that cannot be a message, `malformed` is not
 * JSON, `ignored` is no message by the rules of the stream (blank line, foreign or empty event).
 */
export type Shape =
  "request" | "notification" | "response" | "batch" | "other" | "malformed" | "ignored";

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

/** How many bytes of a body without a useful media type are looked at before it counts as opaque. */
const SNIFF_BYTES = 1024;

/** Reads messages out of events as they come; `take` returns what each event completes. */
export function messageReader(): { take(event: Event, ref: EventRef): readonly Message[] } {
  const framers = new Map<Channel, Framer>([["stdout", lineFramer()]]);
  const contentTypes = new Map<Channel, string | undefined>();
  const starts = new Map<Channel, Uint8Array>();
  const encoded = new Set<Channel>();

  function push(channel: Channel, bytes: Uint8Array): readonly Frame[] {
    const known = framers.get(channel);
    if (known) return known.push(bytes);
    if (channel === "stderr") return [];
    const start = concat([starts.get(channel) ?? new Uint8Array(), bytes]);
    const framer = httpFramer(contentTypes.get(channel), start);
    if (framer) framers.set(channel, framer);
    else starts.set(channel, start.subarray(0, SNIFF_BYTES));
    return framer?.push(start) ?? [];
  }

  return {
    take(event, ref) {
      if (event.type === "responded") {
        contentTypes.set(event.exchange, headerOf(event.headers, "content-type"));
        if (codingsOf(event).length > 0) encoded.add(event.exchange);
      }
      if (event.type !== "received" && event.type !== "decoded" && event.type !== "ended")
        return [];
      const { channel, at } = event;
      if (event.type === "received" && encoded.has(channel)) return [];
      const frames =
        event.type === "ended" ? (framers.get(channel)?.end() ?? []) : push(channel, event.data);
      return frames.map((frame): Message => {
        const json = isIgnored(frame) ? undefined : parseJson(frame.text);
        const shape = isIgnored(frame) ? "ignored" : shapeOf(json);
        return { ...frame, channel, ref, at, json, shape };
      });
    },
  };
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
