/**
 * The times that one message of ours left: more than one when it followed a redirect, was repeated,
 * or its stream was resumed. Together they are one exchange.
 */
import type { Channel, Event, EventOf } from "../transcript/schema.ts";
import { eventsOf, type Indexed, withRef } from "./view.ts";

export type Sent = Indexed<EventOf<"sent">>;

export interface Hop {
  readonly sent: Sent;
  readonly response: Indexed<EventOf<"responded">> | undefined;
}

/** The messages that left, each with those that go on with it, in the order of the first ones. */
export function chainsOf(events: readonly Event[]): readonly (readonly [Sent, ...Sent[]])[] {
  const chains = new Map<number, [Sent, ...Sent[]]>();
  for (const sent of eventsOf(events, "sent")) {
    const chain = sent.continues === undefined ? undefined : chains.get(sent.continues);
    if (chain) chain.push(sent);
    else chains.set(sent.exchange, [sent]);
  }
  return [...chains.values()];
}

/** Each time that the message left, with the head that came back. */
export function hopsOf(
  events: readonly Event[],
  chain: readonly [Sent, ...Sent[]],
): readonly [Hop, ...Hop[]] {
  const [first, ...others] = chain.map((sent): Hop => ({ sent, response: headOf(events, sent) }));
  return [first!, ...others];
}

function headOf(events: readonly Event[], { ref, exchange }: Sent): Hop["response"] {
  const at = events.findIndex(
    (event, index) => index > ref && event.type === "responded" && event.exchange === exchange,
  );
  const event = events[at];
  return event?.type === "responded" ? withRef(event, at) : undefined;
}

/**
 * The hops whose bodies may hold the answer: the last one that asked, and the streams that it was
 * resumed on. What redirects and refused repetitions said is no part of it.
 */
export function speaking(hops: readonly [Hop, ...Hop[]]): readonly [Hop, ...Hop[]] {
  const at = hops.findLastIndex(({ sent }) => sent.purpose !== "resume");
  const asking = hops[Math.max(at, 0)]!;
  const resumed = hops.slice(Math.max(at, 0) + 1).filter(({ response }) => isStream(response));
  return [asking, ...resumed];
}

const isStream = (response: Hop["response"]) =>
  response !== undefined && response.status >= 200 && response.status < 300;

/** The head of the response that carried a message: of a GET, where its stream is shared or resumed. */
export function carrierHead(
  events: readonly Event[],
  { channel }: { readonly channel: Channel },
): Indexed<EventOf<"responded">> | undefined {
  return eventsOf(events, "responded").find(({ exchange }) => exchange === channel);
}
