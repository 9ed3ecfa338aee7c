/** Requests of ours, each with its reply and whatever else belongs to it. */
import type { EventRef } from "../check.ts";
import { concat, textOf } from "../transcript/body.ts";
import type { Channel, Event, EventOf, Purpose } from "../transcript/schema.ts";
import { contentOf } from "./codings.ts";
import { chainsOf, type Hop, hopsOf, type Sent, speaking } from "./hops.ts";
import { isObject, type JsonObject, own, parseJson } from "./json.ts";
import { type Message, headerOf, messages } from "./messages.ts";
import { matchReply, type Reply } from "./replies.ts";
import { type Indexed, view, withRef } from "./view.ts";

export interface Exchange {
  readonly number: number;
  readonly purpose: Purpose;
  readonly sent: Sent;
  /** Every time that the message left: redirects, repetitions and resumed streams are hops. */
  readonly hops: readonly [Hop, ...Hop[]];
  /** Where the answer may stand: response bodies, a shared stream, the pipe. */
  readonly channels: ReadonlySet<Channel>;
  /** JSON-RPC method and id of our message; undefined where it has none. */
  readonly method: string | undefined;
  readonly id: string | number | undefined;
  readonly params: unknown;
  /** The head of the answer: after redirects and repetitions that of the last hop. */
  readonly response: Hop["response"];
  /** Messages that came while this exchange was open, on its own body or on the shared pipe. */
  readonly messages: readonly Message[];
  readonly reply: Reply | undefined;
  /** A reply that came after we had stopped waiting. */
  readonly late: Reply | undefined;
  /** What ended the wait when no reply did. */
  readonly end: Indexed<EventOf<EndType>> | undefined;
  /** The start of the response's body as text, whatever it is; at most 4 KiB. */
  readonly bodyStart: () => string;
}

type Chain = readonly [Sent, ...Sent[]];
type EndType = "ended" | "broke" | "timed-out" | "capped" | "exited" | "closed" | "stopping";

/** Purposes whose exchanges no check reads. They come after everything that one does. */
export const UNREAD: ReadonlySet<Purpose> = new Set(["other-era", "auth-metadata", "goodbye"]);

/** Code of a JSON-RPC error: https://www.jsonrpc.org/specification#error_object */
export const METHOD_NOT_FOUND = -32601;

/** The `result` of a reply when it is an object. */
export function resultOf(exchange: Exchange | undefined): JsonObject | undefined {
  const result = own(exchange?.reply?.json, "result");
  return isObject(result) ? result : undefined;
}

/** The JSON-RPC error of a reply; `code` and `message` as they came, of any type. */
export function errorOf(
  exchange: Exchange | undefined,
): { code: unknown; message: unknown; data: unknown } | undefined {
  const error = own(exchange?.reply?.json, "error");
  if (!isObject(error)) return undefined;
  return { code: own(error, "code"), message: own(error, "message"), data: own(error, "data") };
}

/** A header of the HTTP response; undefined on a pipe. */
export function responseHeader(exchange: Exchange, name: string): string | undefined {
  return exchange.response && headerOf(exchange.response.headers, name);
}

/** How much of a body people and lists of words read, in bytes. */
const BODY_START = 4096;

/** The first bytes of the body of an HTTP response as text, decoded where it was encoded. */
function bodyText(events: readonly Event[], channel: number): string {
  const parts: Uint8Array[] = [];
  let size = 0;
  for (const { data } of contentOf(events, channel)) {
    parts.push(data);
    size += data.length;
    if (size >= BODY_START) break;
  }
  return textOf(concat(parts).subarray(0, BODY_START));
}

/**
 * The first event that ends the wait for an exchange, whether or not a reply came before it. Where
 * the reply comes on the stream of another exchange, the end of that stream is one too; the end of
 * the own body is one only when nothing else is awaited (`alone`).
 */
function endOf(
  events: readonly Event[],
  hops: readonly [Hop, ...Hop[]],
  alone: boolean,
): Exchange["end"] {
  const last = hops.at(-1)!.sent;
  const numbers = new Set(hops.map(({ sent }) => sent.exchange));
  const concerns = (exchange: number | undefined) =>
    exchange === undefined || exchange === last.exchange || exchange === last.replies;
  const ref = events.findIndex((event, index) => {
    if (index <= last.ref) return false;
    switch (event.type) {
      case "ended":
      case "capped":
        return event.channel === last.replies || (alone && event.channel === last.exchange);
      case "timed-out":
        return numbers.has(event.exchange);
      case "broke":
      case "closed":
        return concerns(event.exchange);
      case "stopping":
      case "exited":
        return last.replies === "stdout";
      default:
        return false;
    }
  });
  return ref < 0 ? undefined : (withRef(events[ref]!, ref) as Exchange["end"]);
}

/** Every exchange of a transcript, in the order the requests were sent. */
export const exchanges = view((transcript) =>
  readExchanges(transcript.events, messages(transcript)),
);

/** The exchanges of a record so far, given the messages in it. */
export function readExchanges(
  events: readonly Event[],
  all: readonly Message[],
): readonly Exchange[] {
  const chains = chainsOf(events);
  return chains.map((chain) => readExchange(events, all, chains, chain));
}

/** One exchange of a record so far, by the number of any of its hops. */
export function exchangeOf(
  events: readonly Event[],
  all: readonly Message[],
  number: number,
): Exchange {
  const chains = chainsOf(events);
  const chain = chains.find((sents) => sents.some(({ exchange }) => exchange === number))!;
  return readExchange(events, all, chains, chain);
}

function readExchange(
  events: readonly Event[],
  all: readonly Message[],
  chains: readonly Chain[],
  chain: Chain,
): Exchange {
  const sent = chain[0];
  const request = requestOf(sent);
  const hops = hopsOf(events, chain);
  const heard = speaking(hops);
  const [answering] = heard;
  const { response } = answering;
  // Only a request has a reply; an answer of ours carries an id too, but the server's. On a shared
  // channel nothing belongs to it, and a list of everything for each of many would fill memory.
  const asked = request.method === undefined ? undefined : request.id;
  // A message that HTTP turned down gets no reply on a stream: what is said stands in its own body.
  const refused = (response?.status ?? 0) >= 300;
  const channels = new Set<Channel>(
    refused ? [answering.sent.exchange] : heard.map((hop) => hop.sent.replies),
  );
  const end = endOf(events, hops, refused || asked === undefined);
  const listens = asked !== undefined || sent.replies === sent.exchange;
  const since = listens
    ? all.filter(({ channel, ref }) => channels.has(channel) && ref > answering.sent.ref)
    : [];
  // What completes with the end of the body still counts; what comes after we gave up does not.
  const inTime = since.filter(({ ref }) => ref <= (end?.ref ?? Infinity));
  const alone = channels.has(answering.sent.exchange) ? Infinity : nextRequest(chains, sent);
  const reply = matchReply(asked, inTime, alone, () => owedBefore(events, all, chains, sent));
  return {
    number: sent.exchange,
    purpose: sent.purpose,
    sent,
    hops,
    channels,
    ...request,
    response,
    messages: inTime.filter(({ ref }) => ref < alone),
    reply,
    late: reply ? undefined : matchReply(asked, since, -1),
    end: reply ? undefined : end,
    // A function, because an exchange is read again at every event and few ask for this.
    bodyStart: () => bodyText(events, response?.exchange ?? sent.exchange),
  };
}

/** Ids of earlier requests on the same channel that we had given up on and whose answers may still come. */
function owedBefore(
  events: readonly Event[],
  all: readonly Message[],
  chains: readonly Chain[],
  { ref, replies }: Sent,
): ReadonlySet<unknown> {
  const overdue = new Set(
    events.slice(0, ref).flatMap((event) => (event.type === "timed-out" ? [event.exchange] : [])),
  );
  const owed = new Set<unknown>(
    chains
      .map(([other]) => other)
      .filter((other) => overdue.has(other.exchange) && other.replies === replies)
      .map((other) => requestOf(other).id),
  );
  if (owed.size === 0) return owed;
  for (const message of all) {
    if (message.channel !== replies || message.ref > ref || message.shape !== "response") continue;
    owed.delete(message.id);
  }
  return owed;
}

/** What our messages hold, by their events: each is asked for many times. */
const requests = new WeakMap<EventOf<"sent">, ReturnType<typeof parseRequest>>();

function requestOf(sent: EventOf<"sent">): ReturnType<typeof parseRequest> {
  let request = requests.get(sent);
  if (!request) requests.set(sent, (request = parseRequest(sent.data)));
  return request;
}

/** What is in a message of ours; a record that somebody made up may hold anything. */
function parseRequest(data: Uint8Array) {
  const json = parseJson(textOf(data));
  const [method, id] = [own(json, "method"), own(json, "id")];
  return {
    // Sentences name it, and half a character would make them no text.
    method: typeof method === "string" ? method.toWellFormed() : undefined,
    id: typeof id === "string" || typeof id === "number" ? id : undefined,
    params: own(json, "params"),
  };
}

/** When the next request left, after which this one is no longer alone in flight. */
function nextRequest(chains: readonly Chain[], { ref }: Sent): EventRef {
  const next = chains
    .map(([other]) => other)
    .find((other) => {
      if (other.ref <= ref) return false;
      const { method, id } = requestOf(other);
      return method !== undefined && id !== undefined;
    });
  return next?.ref ?? Infinity;
}
