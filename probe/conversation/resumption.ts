/**
 * Whether and how the stream of an answer is taken up again (2025-11-25, Transports, "Resumability").
 * A server may close it on purpose before the answer, after an event with an id, and be asked later.
 */
import { limit } from "../rules.ts";
import type { Outgoing } from "../transport/transport.ts";
import type { Exchange } from "../views/exchanges.ts";
import { headerOf } from "../views/messages.ts";
import { sessionIn } from "./wire.ts";

/** How far a stream has come: its last event id, and the pause in milliseconds that it asks for. */
export interface Place {
  readonly id?: string;
  readonly retry?: number;
}

export interface Resumption {
  readonly after: number;
  readonly outgoing: Outgoing;
}

/** What a header can carry; the id goes as UTF-8, whose bytes are written one character each. */
const HEADER_SAFE = /^[\t\x20-\x7e\x80-\xff]+$/;

/** The next resumption of an exchange; undefined when it is answered, goes on, or cannot be resumed. */
export function resumptionOf(
  exchange: Exchange,
  request: Outgoing,
  place: Place | undefined,
): Resumption | undefined {
  const { reply, end, hops, response } = exchange;
  if (reply || (end?.type !== "ended" && end?.type !== "broke")) return undefined;
  // Only a request waits for an answer: a goodbye does not.
  if (exchange.method === undefined || exchange.id === undefined) return undefined;
  // The newer era has no sessions and nothing to resume.
  if (request.headers["mcp-method"] !== undefined) return undefined;
  if (!response || response.status >= 300) return undefined;
  const id = Buffer.from(place?.id ?? "").toString("latin1");
  if (!HEADER_SAFE.test(id)) return undefined;
  const resumed = hops.filter(({ sent }) => sent.purpose === "resume");
  if (resumed.length >= limit("resumptions")) return undefined;
  const last = resumed.at(-1)?.response;
  if (last && !isEventStream(last)) return undefined;
  const session = request.headers["mcp-session-id"] ?? sessionIn(response);
  const version = request.headers["mcp-protocol-version"];
  const headers = {
    accept: "text/event-stream",
    "last-event-id": id,
    ...(session === undefined ? {} : { "mcp-session-id": session }),
    ...(version === undefined ? {} : { "mcp-protocol-version": version }),
  };
  return {
    after: place?.retry ?? limit("resume-after"),
    outgoing: { purpose: "resume", method: "GET", body: "", headers, continues: exchange.number },
  };
}

function isEventStream(head: NonNullable<Exchange["response"]>): boolean {
  const type = headerOf(head.headers, "content-type") ?? "";
  return head.status < 300 && /^text\/event-stream\s*(;|$)/i.test(type.trim());
}
