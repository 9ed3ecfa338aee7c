/**
 * The stream of HTTP+SSE (protocol 2024-11-05): the GET opens it, its first event names the URL to
 * POST to, and the replies to those POSTs come as further events.
 */
import type { EventRef } from "../check.ts";
import type { Transcript } from "../transcript/schema.ts";
import { type Exchange, exchanges, responseHeader } from "./exchanges.ts";
import { isEventStream, type Message, messages } from "./messages.ts";
import { duration, excerpt, shown } from "./words.ts";

/** Whether a message is the event that names the URL to POST to. Without data it is none. */
export function isEndpoint(message: Pick<Message, "sse" | "text">): boolean {
  // Not taken apart: the text is read anew each time, and few need it.
  return message.sse?.event === "endpoint" && message.text.trim() !== "";
}

/** The endpoint events on the own body of an exchange. */
export function endpointsIn(exchange: Exchange): readonly Message[] {
  const granted = (exchange.response?.status ?? 0) < 300;
  const isOwn = exchange.sent.replies === exchange.number;
  return granted && isOwn ? exchange.messages.filter(isEndpoint) : [];
}

/** The GET that carries the replies to an exchange; undefined for every other transport. */
export function streamOf(transcript: Transcript, exchange: Exchange): Exchange | undefined {
  const { replies } = exchange.sent;
  if (typeof replies !== "number" || replies === exchange.number) return undefined;
  return exchanges(transcript).find(({ hops }) =>
    hops.some(({ sent }) => sent.exchange === replies),
  );
}

/** How a stream ended by itself; undefined while it went on, or when we closed it. */
export function streamEnd(transcript: Transcript, { hops }: Exchange) {
  const number = hops.at(-1)!.sent.exchange;
  const ref = transcript.events.findIndex(
    (event) =>
      (event.type === "ended" && event.channel === number) ||
      (event.type === "broke" && event.exchange === number),
  );
  const event = transcript.events[ref];
  return event?.type === "ended" || event?.type === "broke" ? { ...event, ref } : undefined;
}

/** A response to a request that stands in the answer to its POST, where no client looks for it. */
export function answerAside(transcript: Transcript, exchange: Exchange): Message | undefined {
  return messages(transcript).find(
    ({ channel, shape }) =>
      shape === "response" && exchange.hops.some(({ sent }) => sent.exchange === channel),
  );
}

export interface StreamFailure {
  readonly reason:
    | "endpoint-cross-origin"
    | "no-endpoint"
    | "no-event-stream"
    | "timeout"
    | "closed-without-response"
    | "probe-failed";
  /** Follows "the server". */
  readonly words: string;
  readonly evidence: readonly EventRef[];
}

/** Why a GET gave no stream to talk over. */
export function streamFailure(exchange: Exchange): StreamFailure {
  const { end, response } = exchange;
  const [announced] = endpointsIn(exchange);
  if (announced) {
    const words = `announced the endpoint ${excerpt(announced.text)}, which is not on the origin of the stream, so nothing was sent there`;
    return { reason: "endpoint-cross-origin", words, evidence: [announced.ref] };
  }
  const by = (reason: StreamFailure["reason"], words: string) => ({ reason, words, evidence: [] });
  if (end?.type === "timed-out") {
    const missing = response ? "announced no endpoint on its event stream" : "did not answer";
    return by("timeout", `${missing} within ${duration(end.after)}`);
  }
  if (end?.type === "broke") {
    const code = shown(end.fault.code);
    return by("closed-without-response", `broke the connection (${code}) before an endpoint event`);
  }
  if (end?.type !== "ended") return by("probe-failed", "was not listened to any longer");
  const type = responseHeader(exchange, "content-type");
  if (isEventStream(type)) {
    return by("no-endpoint", "ended its event stream without an endpoint event");
  }
  const body = exchange.bodyStart().trim();
  const what = body === "" ? "no body" : excerpt(body);
  return by("no-event-stream", `answered the GET with ${shown(type)} and no event stream: ${what}`);
}
