/** Requests of ours, each with its reply and whatever else belongs to it. */
import type { EventRef } from "../check.ts";
import { concat, textOf } from "../transcript/body.ts";
import type { Event, EventOf, Purpose } from "../transcript/schema.ts";
import { isObject, type JsonObject, own, parseJson } from "./json.ts";
import { type Message, headerOf, messages } from "./messages.ts";
import { matchReply, type Reply } from "./replies.ts";
import { eventsOf, type Indexed, view } from "./view.ts";

export interface Exchange {
  readonly number: number;
  readonly purpose: Purpose;
  readonly sent: Indexed<EventOf<"sent">>;
  /** JSON-RPC method and id of our message; undefined where it has none. */
  readonly method: string | undefined;
  readonly id: string | number | undefined;
  readonly params: unknown;
  readonly response: Indexed<EventOf<"responded">> | undefined;
  /** Messages that came while this exchange was open, on its own body or on the shared pipe. */
  readonly messages: readonly Message[];
  readonly reply: Reply | undefined;
  /** A reply that came after we had stopped waiting. */
  readonly late: Reply | undefined;
  /** What ended the wait when no reply did. */
  readonly end: Indexed<EventOf<EndType>> | undefined;
}

type EndType = "ended" | "broke" | "timed-out" | "capped" | "exited" | "closed" | "stopping";

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

/** The body of the HTTP response as text, at most `limit` characters. */
export function bodyText(events: readonly Event[], exchange: Exchange, limit = 4096): string {
  // Joined before it is read: the network may cut inside a character.
  const parts: Uint8Array[] = [];
  let wanted = limit * BYTES_OF_CHARACTER;
  for (const event of events) {
    if (event.type !== "received" || event.channel !== exchange.number) continue;
    parts.push(event.data.subarray(0, wanted));
    wanted -= event.data.length;
    if (wanted <= 0) break;
  }
  return textOf(concat(parts)).slice(0, limit);
}

/** At the most, in UTF-8. */
const BYTES_OF_CHARACTER = 4;

/** The first event that ends the wait for an exchange, whether or not a reply came before it. */
function endOf(events: readonly Event[], sent: Indexed<EventOf<"sent">>): Exchange["end"] {
  const ref = events.findIndex((event, index) => {
    if (index <= sent.ref) return false;
    switch (event.type) {
      case "ended":
      case "capped":
        return event.channel === sent.replies;
      case "broke":
      case "timed-out":
        return event.exchange === sent.exchange;
      case "closed":
        return event.exchange === undefined || event.exchange === sent.exchange;
      case "stopping":
      case "exited":
        return sent.replies === "stdout";
      default:
        return false;
    }
  });
  return ref < 0 ? undefined : ({ ...events[ref], ref } as Exchange["end"]);
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
  const sents = eventsOf(events, "sent");
  return sents.map((sent) => readExchange(events, all, sents, sent));
}

/** One exchange of a record so far, by its number. */
export function exchangeOf(
  events: readonly Event[],
  all: readonly Message[],
  number: number,
): Exchange {
  const sents = eventsOf(events, "sent");
  return readExchange(
    events,
    all,
    sents,
    sents.find(({ exchange }) => exchange === number)!,
  );
}

function readExchange(
  events: readonly Event[],
  all: readonly Message[],
  sents: readonly Indexed<EventOf<"sent">>[],
  sent: Indexed<EventOf<"sent">>,
): Exchange {
  const request = requestOf(sent);
  const end = endOf(events, sent);
  // Only a request has a reply; an answer of ours carries an id too, but the server's. On a shared
  // channel nothing belongs to it, and a list of everything for each of many would fill memory.
  const asked = request.method === undefined ? undefined : request.id;
  const listens = asked !== undefined || sent.replies === sent.exchange;
  const since = listens
    ? all.filter(({ channel, ref }) => channel === sent.replies && ref > sent.ref)
    : [];
  // What completes with the end of the body still counts; what comes after we gave up does not.
  const inTime = since.filter(({ ref }) => ref <= (end?.ref ?? Infinity));
  const alone = sent.replies === sent.exchange ? Infinity : nextRequest(sents, sent);
  const reply = matchReply(asked, inTime, alone, () => owedBefore(events, all, sents, sent));
  return {
    number: sent.exchange,
    purpose: sent.purpose,
    sent,
    ...request,
    response: responseOf(events, sent),
    messages: inTime.filter(({ ref }) => ref < alone),
    reply,
    late: reply ? undefined : matchReply(asked, since, -1),
    end: reply ? undefined : end,
  };
}

/** Ids of earlier requests on the same channel that we had given up on and whose answers may still come. */
function owedBefore(
  events: readonly Event[],
  all: readonly Message[],
  sents: readonly Indexed<EventOf<"sent">>[],
  { ref, replies }: Indexed<EventOf<"sent">>,
): ReadonlySet<unknown> {
  const overdue = new Set(
    events.slice(0, ref).flatMap((event) => (event.type === "timed-out" ? [event.exchange] : [])),
  );
  const owed = new Set<unknown>(
    sents
      .filter((other) => overdue.has(other.exchange) && other.replies === replies)
      .map((other) => requestOf(other).id),
  );
  if (owed.size === 0) return owed;
  for (const message of all) {
    if (message.channel !== replies || message.ref > ref || message.shape !== "response") continue;
    owed.delete(own(message.json, "id"));
  }
  return owed;
}

/** What our messages hold, by their bytes: each is asked for many times. */
const requests = new WeakMap<Uint8Array, ReturnType<typeof parseRequest>>();

function requestOf({ data }: EventOf<"sent">): ReturnType<typeof parseRequest> {
  let request = requests.get(data);
  if (!request) requests.set(data, (request = parseRequest(data)));
  return request;
}

/** A method as we name one. Sentences say it as it is, so nothing else may pass for one. */
const METHOD = /^[\w/.-]{1,80}$/;

/** What is in a message of ours; a record that somebody made up may hold anything. */
function parseRequest(data: Uint8Array) {
  const json = parseJson(textOf(data));
  const [method, id] = [own(json, "method"), own(json, "id")];
  return {
    method: typeof method === "string" && METHOD.test(method) ? method : undefined,
    id: typeof id === "string" || typeof id === "number" ? id : undefined,
    params: own(json, "params"),
  };
}

/** When the next request left, after which this one is no longer alone in flight. */
function nextRequest(
  sents: readonly Indexed<EventOf<"sent">>[],
  { ref }: Indexed<EventOf<"sent">>,
): EventRef {
  const next = sents.find((other) => {
    if (other.ref <= ref) return false;
    const { method, id } = requestOf(other);
    return method !== undefined && id !== undefined;
  });
  return next?.ref ?? Infinity;
}

function responseOf(events: readonly Event[], { ref, exchange }: Indexed<EventOf<"sent">>) {
  const at = events.findIndex(
    (event, index) => index > ref && event.type === "responded" && event.exchange === exchange,
  );
  const event = events[at];
  return event?.type === "responded" ? { ...event, ref: at } : undefined;
}
