/**
 * A transcript and its stored form. Decoding gives back exactly what was recorded.
 *
 * The bytes of one channel are joined and cut again where they are likely to repeat: a pipe at its
 * lines, an HTTP body not at all. Where the network cut them is noise that would make every record
 * unique; it is kept as sizes.
 */
import { concat, decodeBody, encodeBody } from "../transcript/body.ts";
import type { Channel, Event, Transcript } from "../transcript/schema.ts";
import { sha256 } from "./encoding.ts";
import type { Piece, StoredBody, StoredTranscript } from "./schema.ts";

/** Shorter pieces stand inline: a digest would take more room than they do. */
const INLINE_BELOW = 64;
const LINE_FEED = 0x0a;

/** A reference to a body: its digest, and the earlier run that holds it. */
export interface Ref {
  readonly sha256: string;
  readonly run: string | undefined;
}

/** What a piece refers to; undefined for bytes that stand inline. */
export function refOf(piece: Piece): Ref | undefined {
  if (typeof piece !== "string") return undefined;
  const [digest, run] = piece.split("@");
  return { sha256: digest!, run };
}

/** Every reference of a stored transcript, in order, also those that repeat. */
export function refsOf({ events, streams }: StoredTranscript): readonly Ref[] {
  const whole = events.flatMap((event) =>
    event.type === "sent" || event.type === "decoded" ? [event.data] : [],
  );
  return [...whole, ...streams.flatMap(({ pieces }) => pieces)].flatMap(
    (piece) => refOf(piece) ?? [],
  );
}

/** The stored form of a transcript; `keep` is given each body that needs a place, and names it. */
export function encodeTranscript(
  { events, ...rest }: Transcript,
  keep: (digest: string, bytes: Uint8Array) => string,
): StoredTranscript {
  const toPiece = (bytes: Uint8Array): Piece =>
    bytes.length < INLINE_BELOW ? encodeBody(bytes) : keep(sha256(bytes), bytes);
  const received = new Map<Channel, Uint8Array[]>();
  const stored = events.map((event) => {
    if (event.type === "sent" || event.type === "decoded")
      return { ...event, data: toPiece(event.data) };
    if (event.type !== "received") return event;
    const { data, ...head } = event;
    const parts = received.get(event.channel);
    if (parts) parts.push(data);
    else received.set(event.channel, [data]);
    return { ...head, size: data.length };
  });
  const streams = [...received].map(([channel, parts]) => ({
    channel,
    pieces: cut(channel, concat(parts)).map(toPiece),
  }));
  return { ...rest, events: stored, streams };
}

/**
 * The transcript of a stored form. `bodyOf` finds the bytes of a reference; `complain` is called
 * with what contradicts itself, and throws.
 */
export function decodeTranscript(
  { events, streams, ...rest }: StoredTranscript,
  bodyOf: (ref: Ref) => Uint8Array<ArrayBuffer>,
  complain: (problem: string) => never,
): Transcript {
  const toBytes = (piece: Piece): Uint8Array<ArrayBuffer> =>
    typeof piece === "string" ? bodyOf(refOf(piece)!) : decodeBody(piece);
  const channels = new Map(
    streams.map(({ channel, pieces }) => [channel, { bytes: concat(pieces.map(toBytes)), at: 0 }]),
  );
  const recorded = events.map((event): Event => {
    if (event.type === "sent" || event.type === "decoded")
      return { ...event, data: toBytes(event.data) };
    if (event.type !== "received") return event;
    const { size, ...head } = event;
    const channel = channels.get(event.channel);
    if (!channel || channel.at + size > channel.bytes.length) {
      return complain(`channel ${event.channel} has fewer bytes than were received`);
    }
    const data = channel.bytes.slice(channel.at, channel.at + size);
    channel.at += size;
    return { ...head, data };
  });
  for (const [name, { bytes, at }] of channels) {
    if (at < bytes.length) complain(`channel ${name} has more bytes than were received`);
  }
  return { ...rest, events: recorded };
}

/** A line of `NN.bodies`. */
export function storedBody(digest: string, bytes: Uint8Array): StoredBody {
  const body = encodeBody(bytes);
  return [digest, "text" in body ? body.text : body];
}

/** The bytes of a line of `NN.bodies`; undefined where they were taken away. */
export function bytesOfBody([, body]: StoredBody): Uint8Array<ArrayBuffer> | undefined {
  return body === null ? undefined : decodeBody(typeof body === "string" ? { text: body } : body);
}

/** Cuts what came over a channel; each line keeps its end. */
function cut(channel: Channel, bytes: Uint8Array): readonly Uint8Array[] {
  if (channel !== "stdout") return bytes.length > 0 ? [bytes] : [];
  const lines: Uint8Array[] = [];
  for (let start = 0; start < bytes.length;) {
    const feed = bytes.indexOf(LINE_FEED, start);
    const end = feed < 0 ? bytes.length : feed + 1;
    lines.push(bytes.subarray(start, end));
    start = end;
  }
  return lines;
}
