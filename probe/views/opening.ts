/** How the conversation opened: `initialize` in the legacy era, `server/discover` in the modern one. */
import type { Transcript } from "../transcript/schema.ts";
import { endpointsIn } from "./event-stream.ts";
import { type Exchange, exchanges, resultOf, UNREAD } from "./exchanges.ts";
import { gateOf } from "./gates.ts";
import type { JsonObject } from "./json.ts";
import { isObject, own } from "./json.ts";
import type { Era } from "../rules.ts";
import { view } from "./view.ts";

export type Opening =
  | {
      readonly opened: true;
      readonly era: Era;
      readonly exchange: Exchange;
      readonly result: JsonObject;
    }
  | {
      readonly opened: false;
      /** The exchange whose failure is the reason to publish; undefined when none was sent. */
      readonly exchange: Exchange | undefined;
    };

/** The era that a request belongs to. */
export function eraOfRequest(exchange: Exchange): Era {
  return exchange.method === "server/discover" ? "modern" : "legacy";
}

export const opening = view((transcript): Opening => {
  const tries = exchanges(transcript).filter(({ purpose }) => OPENS.has(purpose));
  const success = tries.findLast((exchange) => resultOf(exchange) !== undefined);
  if (success) {
    const result = resultOf(success)!;
    return { opened: true, era: eraOfRequest(success), exchange: success, result };
  }
  // The first refusal over the listed transport is the server's own word; what a fallback met
  // explains less, unless it was a gate such as a login.
  const told = onStream(tries) ?? tries;
  const gated = told.find((exchange) => gateOf(exchange) !== undefined);
  const listed = told.find(({ purpose }) => (purpose === "stream") === listsStream(transcript));
  return { opened: false, exchange: gated ?? listed ?? told[0] };
});

const OPENS: ReadonlySet<string> = new Set(["opening", "stream"]);

const listsStream = ({ target }: Transcript): boolean =>
  target.kind === "remote" && target.transport === "sse";

/**
 * The tries over a stream that named an endpoint, for then the server speaks that transport and no
 * other; the GET itself when nothing could be sent there. Undefined when no stream did.
 */
function onStream(tries: readonly Exchange[]): readonly Exchange[] | undefined {
  const stream = tries.find(
    (exchange) => exchange.purpose === "stream" && endpointsIn(exchange).length > 0,
  );
  if (!stream) return undefined;
  const sent = tries.filter(
    ({ number, sent: { replies } }) => replies === stream.number && number !== replies,
  );
  return sent.length > 0 ? sent : [stream];
}

/** The `capabilities` object of the opening. */
export function capabilities(opened: Opening): JsonObject | undefined {
  const value = opened.opened ? own(opened.result, "capabilities") : undefined;
  return isObject(value) ? value : undefined;
}

/** Whether the server declares a capability: its value must be an object. */
export function declares(opened: Opening, capability: string): boolean {
  return isObject(own(capabilities(opened), capability));
}

const SERVER_INFO = "io.modelcontextprotocol/serverInfo";
const PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion";

/**
 * `serverInfo` and the exchange that carried it. Legacy: a member of the opening's result. Modern:
 * in `_meta` of any result, where it is only recommended.
 */
export const serverInfo = view((transcript): { value: unknown; exchange: Exchange } | undefined => {
  const opened = opening(transcript);
  if (!opened.opened) return undefined;
  const top = own(opened.result, "serverInfo");
  if (opened.era === "legacy" || top !== undefined) {
    return top === undefined ? undefined : { value: top, exchange: opened.exchange };
  }
  for (const exchange of exchanges(transcript)) {
    // A conversation of the other era, and documents from elsewhere, speak for themselves alone.
    if (UNREAD.has(exchange.purpose)) continue;
    const value = own(own(resultOf(exchange), "_meta"), SERVER_INFO);
    if (value !== undefined) return { value, exchange };
  }
  return undefined;
});

/** The version both sides go on with: the answered one, or in the modern era the one we named. */
export function negotiatedVersion(opened: Opening): unknown {
  if (!opened.opened) return undefined;
  return opened.era === "legacy"
    ? own(opened.result, "protocolVersion")
    : own(own(opened.exchange.params, "_meta"), PROTOCOL_VERSION);
}
