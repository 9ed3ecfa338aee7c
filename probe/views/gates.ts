/** Answers that say "not you, or not now" instead of answering: no fault of the server. */
import { type Exchange, responseHeader } from "./exchanges.ts";

export interface Gate {
  readonly reason: "auth-required" | "payment-required" | "refused" | "rate-limited";
  /** What the server asks for, to follow "the server". */
  readonly words: string;
}

/** The gate that an exchange met, by its HTTP status; undefined when it met none. */
export function gateOf(exchange: Exchange): Gate | undefined {
  const status = exchange.response?.status;
  if (exchange.reply && status !== undefined && status < 400) return undefined;
  if (responseHeader(exchange, "cf-mitigated") === "challenge") {
    return {
      reason: "refused",
      words: `was hidden behind a bot challenge of its CDN (HTTP ${status})`,
    };
  }
  switch (status) {
    case 401:
    case 407:
      return { reason: "auth-required", words: `asks for credentials (HTTP ${status})` };
    case 402:
      return { reason: "payment-required", words: "asks for payment (HTTP 402)" };
    case 403:
      return { reason: "refused", words: "refused us (HTTP 403)" };
    case 429:
      return { reason: "rate-limited", words: "asks us to slow down (HTTP 429)" };
    default:
      return undefined;
  }
}
