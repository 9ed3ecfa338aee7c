/** How the conversation opened: `initialize` in the legacy era, `server/discover` in the modern one. */
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
  const tries = exchanges(transcript).filter(({ purpose }) => purpose === "opening");
  const success = tries.findLast((exchange) => resultOf(exchange) !== undefined);
  if (success) {
    const result = resultOf(success)!;
    return { opened: true, era: eraOfRequest(success), exchange: success, result };
  }
  // The first refusal is the server's own word; what a fallback met afterwards explains less, unless
  // it was a gate such as a login.
  const gated = tries.find((exchange) => gateOf(exchange) !== undefined);
  return { opened: false, exchange: gated ?? tries[0] };
});

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
