/**
 * Which messages count as the server's part of the conversation, and which requests each may answer.
 *
 * What our own fallbacks, look-ups and goodbyes provoke, and what a refused opening said before
 * another one succeeded, is not held against a server.
 */
import type { Channel, Event, Transcript } from "../transcript/schema.ts";
import { type Exchange, exchanges, UNREAD } from "./exchanges.ts";
import { type Message, messages } from "./messages.ts";
import { opening } from "./opening.ts";
import { eventsOf } from "./view.ts";

export interface Attribution {
  readonly messages: readonly Message[];
  /** The exchange whose own response body carried a message; undefined on a shared pipe. */
  owner(message: Message): Exchange | undefined;
  /** The requests that a message on this channel may answer: those sent before it. */
  asked(message: Message): readonly Exchange[];
}

/** Whether our message was a request, which gets a response. */
export const asks = ({ method, id }: Exchange): boolean => method !== undefined && id !== undefined;

export function attribution(transcript: Transcript): Attribution {
  const all = exchanges(transcript);
  const byNumber = new Map(
    all.flatMap((exchange) => exchange.hops.map(({ sent }) => [sent.exchange, exchange] as const)),
  );
  const opened = opening(transcript).exchange;
  const isRead = (exchange: Exchange) => {
    if (exchange.purpose === "opening") return exchange === opened;
    if (exchange.purpose === "stream")
      return exchange.channels.has(opened?.sent.replies ?? "stderr");
    return !UNREAD.has(exchange.purpose) && exchange.purpose !== "reopening";
  };
  const read = all.filter(isRead);
  const unread = all.filter((exchange) => !isRead(exchange));
  const channels = new Set(read.flatMap(carriers));
  const strays = new Set(unread.flatMap(({ reply, late }) => (reply ?? late)?.message ?? []));
  const isStray = (message: Message) =>
    strays.has(message) || unread.some((exchange) => answers(message, exchange));
  const [from, to] = processOf(transcript, opened);
  const inProcess = ({ channel, ref }: Message) => channel !== "stdout" || (ref > from && ref < to);
  const owner = ({ channel }: Message) =>
    typeof channel === "number" ? byNumber.get(channel) : undefined;
  return {
    messages: messages(transcript).filter(
      (message) =>
        channels.has(message.channel) &&
        inProcess(message) &&
        !isStray(message) &&
        !isCut(message, transcript.events),
    ),
    owner,
    asked(message) {
      const carrier = owner(message);
      // A stream that goes on where another broke off, or that is shared, carries anybody's answer.
      const shared = carrier?.method === undefined && carrier?.id === undefined;
      return read.filter(
        (exchange) =>
          asks(exchange) &&
          exchange.sent.ref < message.ref &&
          ((carrier && shared) || exchange === carrier || exchange.channels.has(message.channel)),
      );
    },
  };
}

/** The channels that an exchange is read on; with a shared stream also its own response body. */
function carriers({ channels, hops }: Exchange): readonly Channel[] {
  const asking = hops.findLast(({ sent }) => sent.purpose !== "resume") ?? hops[0];
  return [asking.sent.exchange, ...channels];
}

/** Whether a message is the exact response to a request. */
function answers(message: Message, exchange: Exchange): boolean {
  return (
    message.shape === "response" &&
    exchange.channels.has(message.channel) &&
    asks(exchange) &&
    message.id === exchange.id
  );
}

/** Between which events the process ran that the conversation opened with; a fallback starts others. */
function processOf(transcript: Transcript, opened: Exchange | undefined): [number, number] {
  const starts = eventsOf(transcript.events, "spawned").map(({ ref }) => ref);
  const at = opened?.sent.ref ?? 0;
  return [starts.findLast((ref) => ref < at) ?? -1, starts.find((ref) => ref > at) ?? Infinity];
}

/** Whether a last line lacks its end because we had stopped the process, or reading it. */
function isCut({ channel, shape, ref }: Message, events: readonly Event[]): boolean {
  if (channel !== "stdout" || shape !== "malformed" || events[ref]?.type !== "ended") return false;
  return events
    .slice(0, ref)
    .some(
      (event) =>
        (event.type === "stopping" && event.by !== "stdin") ||
        (event.type === "capped" && event.channel === "stdout"),
    );
}
