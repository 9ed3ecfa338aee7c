/** Content codings of HTTP bodies: which ones the probe undoes, and what then holds the message. */
import type { Event, EventOf } from "../transcript/schema.ts";
import { type Indexed, withRef } from "./view.ts";

/** Names that RFC 9110 and RFC 8878 give them; anything else is left as it came. */
const KNOWN: ReadonlySet<string> = new Set(["gzip", "x-gzip", "deflate", "br", "zstd"]);

/** Codings undone in one body; nobody in good faith applies more. */
const MOST = 3;

/**
 * The codings of a body in the order in which they are undone; none where there are none, and where
 * one of them is unknown: many a server names a character set in this header.
 */
export function codingsOf(head: Pick<EventOf<"responded">, "headers">): readonly string[] {
  const codings = head.headers
    .filter(([name]) => name.toLowerCase() === "content-encoding")
    .flatMap(([, value]) => value.split(","))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
  const known = codings.length <= MOST && codings.every((coding) => KNOWN.has(coding));
  return known ? codings.reverse() : [];
}

/** Which events hold the content of a channel: those as received, or those decoded from them. */
export function contentOf(
  events: readonly Event[],
  channel: EventOf<"received">["channel"],
): readonly Indexed<EventOf<"received" | "decoded">>[] {
  const head = events.find((event) => event.type === "responded" && event.exchange === channel);
  const encoded =
    (head?.type === "responded" && codingsOf(head).length > 0) ||
    events.some((event) => event.type === "decoded" && event.channel === channel);
  const type = encoded ? "decoded" : "received";
  return events.flatMap((event, ref) =>
    event.type === type && event.channel === channel ? [withRef(event, ref)] : [],
  );
}
