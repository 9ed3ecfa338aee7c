/** Shows one event of a transcript: a line that names it, and the headers and bytes it carried. */
import type { EventRef } from "../../probe/check.ts";
import { DataError } from "../../probe/errors.ts";
import { bytesOf, concat, textOf } from "../../probe/transcript/body.ts";
import type { Channel, Event, EventOf, Transcript } from "../../probe/transcript/schema.ts";
import { contentOf } from "../../probe/views/codings.ts";
import { headerOf } from "../../probe/views/messages.ts";
import type { Evidence } from "./schema.ts";

/** Most characters of `text`, as `schema.ts` promises. */
const TEXT_LIMIT = 4096;
/** Most characters of `summary`: it may hold a URL or an argument of any length. */
const SUMMARY_LIMIT = 300;

/**
 * The event that `ref` points to, as people read it; `DataError` when there is none.
 *
 * Where bytes came in pieces, an event shows the whole message that it completes: a piece alone
 * proves nothing to a reader.
 */
export function evidence(transcript: Transcript, ref: EventRef): Evidence {
  const event = transcript.events[ref];
  if (!event) {
    const place = transcript.listing ?? transcript.target.key;
    throw new DataError(place, undefined, `evidence names event ${ref}, which is not on record`);
  }
  const content = shownOf(transcript, event, ref);
  return {
    event: ref,
    type: event.type,
    at: event.at,
    summary: oneLine(summaryOf(event, content.body.length)),
    ...cut(content),
  };
}

interface Content {
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
}

const NOTHING = new Uint8Array();

function shownOf(transcript: Transcript, event: Event, ref: EventRef): Content {
  switch (event.type) {
    case "sent":
      return { headers: event.http?.headers ?? [], body: event.data };
    case "responded":
      return { headers: event.headers, body: NOTHING };
    // A body that is one message is complete only when it has ended, so checks point to its end.
    case "received":
    case "decoded":
    case "ended":
      return { headers: [], body: messageBytes(transcript, event.channel, ref) };
    default:
      return { headers: [], body: NOTHING };
  }
}

/** What a channel received up to an event, without the messages that were complete before it. */
function messageBytes(transcript: Transcript, channel: Channel, ref: EventRef): Uint8Array {
  const parts = contentOf(transcript.events, channel).filter((part) => part.ref <= ref);
  const whole = concat(parts.map(({ data }) => data));
  const latest = parts.at(-1);
  const before = whole.length - (latest?.ref === ref ? latest.data.length : 0);
  return whole.subarray(lastEnd(whole.subarray(0, before), framing(transcript, channel)));
}

type Framing = "lines" | "events" | "whole";

function framing(transcript: Transcript, channel: Channel): Framing {
  if (typeof channel === "string") return "lines";
  const head = transcript.events.find(
    (event) => event.type === "responded" && event.exchange === channel,
  ) as EventOf<"responded"> | undefined;
  const type = head && headerOf(head.headers, "content-type");
  return type?.toLowerCase().startsWith("text/event-stream") ? "events" : "whole";
}

const LF = 0x0a;
const CR = 0x0d;

/** Where the last complete message ends: after a line, or after the blank line of an SSE event. */
function lastEnd(bytes: Uint8Array, framed: Framing): number {
  if (framed === "whole") return 0;
  for (let end = bytes.length; end > 0; end--) {
    const last = bytes[end - 1];
    if (framed === "lines" ? last === LF : endsBlankLine(bytes, end)) return end;
  }
  return 0;
}

/** Whether a blank line ends there; lines of events end with LF, CR or both. */
function endsBlankLine(bytes: Uint8Array, end: number): boolean {
  const isEnd = (byte: number | undefined) => byte === LF || byte === CR;
  if (!isEnd(bytes[end - 1])) return false;
  const pair = bytes[end - 1] === LF && bytes[end - 2] === CR;
  return isEnd(bytes[end - (pair ? 3 : 2)]);
}

/** Headers a line each, a blank line when a body follows, the body; no more than the limit of it. */
function cut({ headers, body }: Content): Pick<Evidence, "text" | "cutFrom"> {
  const lines = headers.map(([name, value]) => `${name}: ${value}\n`).join("");
  const head = lines !== "" && body.length > 0 ? `${lines}\n` : lines;
  // UTF-8 spends at most 3 bytes on a UTF-16 code unit, so this prefix always fills the limit.
  const whole = head + textOf(body.subarray(0, 4 * TEXT_LIMIT));
  if (whole === "") return { text: null, cutFrom: null };
  if (whole.length <= TEXT_LIMIT) return { text: whole, cutFrom: null };
  return {
    text: whole.slice(0, TEXT_LIMIT).replace(/[\uD800-\uDBFF]$/, ""),
    cutFrom: bytesOf(head).length + body.length,
  };
}

/** Line breaks and other controls become spaces: a summary is one line wherever it is shown. */
function oneLine(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
  return line.length <= SUMMARY_LIMIT ? line : `${line.slice(0, SUMMARY_LIMIT - 1)}…`;
}

type Fault = NonNullable<EventOf<"connected">["fault"]>;

const faultWords = ({ code, message }: Fault) => (message === code ? code : `${code}, ${message}`);

const place = (channel: Channel) =>
  typeof channel === "string" ? channel : `the body of response ${channel}`;

const count = (bytes: number) => `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;

function summaryOf(event: Event, bytes: number): string {
  switch (event.type) {
    case "resolved":
      return resolvedWords(event);
    case "connected": {
      const peer = `${event.address} port ${event.port}`;
      return event.fault
        ? `no connection to ${peer}: ${faultWords(event.fault)}`
        : `connected to ${peer} in ${event.took} ms`;
    }
    case "tls":
      return tlsWords(event);
    case "installed": {
      const name = `${event.registry}:${event.identifier}@${event.version}`;
      if (!event.fault) return `installed ${name} in ${event.took} ms`;
      const aim = event.step === "look-up" ? "find" : "install";
      return `could not ${aim} ${name}: ${faultWords(event.fault)}`;
    }
    case "spawned": {
      const command = event.argv.join(" ");
      return event.fault
        ? `could not start ${command}: ${faultWords(event.fault)}`
        : `started ${command}`;
    }
    case "sent":
      return event.http
        ? `${event.http.method} ${event.http.url}`
        : `${count(bytes)} to stdin (${event.purpose})`;
    case "responded":
      return `HTTP ${event.status}`;
    case "received":
      return `${count(bytes)} on ${place(event.channel)}`;
    case "decoded":
      return `${count(bytes)} decoded from ${place(event.channel)}`;
    case "ended":
      return `end of ${place(event.channel)}${bytes > 0 ? `, ${count(bytes)}` : ""}`;
    case "broke":
      return `exchange ${event.exchange} broke: ${faultWords(event.fault)}`;
    case "timed-out":
      return `timed out after ${event.after} ms`;
    case "capped":
      return `we stopped reading ${place(event.channel)} at our limit of ${count(event.limit)}`;
    case "closed":
      return event.exchange === undefined
        ? "we closed everything"
        : `we closed exchange ${event.exchange}`;
    case "stopping":
      return event.by === "stdin" ? "we closed stdin" : `we sent ${event.by}`;
    case "exited":
      return event.signal === null
        ? `process ended with code ${event.code ?? "unknown"}`
        : `process was ended by ${event.signal}`;
  }
}

function resolvedWords({ host, addresses, fault }: EventOf<"resolved">): string {
  if (fault) return `${host} did not resolve: ${faultWords(fault)}`;
  const list = addresses.map(({ address, allowed }) =>
    allowed ? address : `${address} (not public)`,
  );
  return `${host} resolved to ${list.length > 0 ? list.join(", ") : "no address"}`;
}

function tlsWords({ host, took, protocol, chain, fault }: EventOf<"tls">): string {
  if (fault) return `no trusted TLS with ${host}: ${faultWords(fault)}`;
  const until = chain[0] ? `, certificate valid until ${chain[0].validTo.slice(0, 10)}` : "";
  return `${protocol ?? "TLS"} with ${host} in ${took} ms${until}`;
}
