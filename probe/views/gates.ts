/** Answers that say "not you, or not now" instead of answering: no fault of the server. */
import { credentialDemand } from "../rules.ts";
import type { Transcript } from "../transcript/schema.ts";
import { challengesOf } from "./challenges.ts";
import {
  errorOf,
  type Exchange,
  exchanges,
  responseHeader,
  resultOf,
  UNREAD,
} from "./exchanges.ts";
import { loginMetadata } from "./login-metadata.ts";
import { excerpt } from "./words.ts";

export interface Gate {
  /** Those that say how it was told are kept apart because verdict/1.0.0 reads them otherwise. */
  readonly reason:
    | "auth-required"
    | "auth-required-by-words"
    | "payment-required"
    | "payment-required-by-code"
    | "refused"
    | "rate-limited";
  /** What the server asks for, to follow "the server". */
  readonly words: string;
}

/** How much of a JSON-RPC error is read for words, in characters. */
const ERROR_START = 4096;

/** JSON-RPC code by which paid tools ask for payment, after the HTTP status. */
const PAYMENT_REQUIRED = 402;

/** The gate that an exchange met, by its own answer alone; undefined when it met none. */
export function gateOf(exchange: Exchange | undefined): Gate | undefined {
  if (!exchange) return undefined;
  const status = exchange.response?.status;
  const answered = exchange.reply !== undefined && status !== undefined && status < 400;
  return (answered ? undefined : gateByStatus(exchange, status)) ?? gateByReply(exchange, status);
}

/**
 * The gate that an exchange met, also where only the host's published login tells that it was one (a
 * 403 anywhere, and a 400 that refused the opening), or where its session was lost and the gate stood
 * in the way of another one.
 */
export function gateIn(transcript: Transcript, exchange: Exchange): Gate | undefined {
  const gate = gateOf(exchange) ?? gateOf(reopeningAfter(transcript, exchange));
  if (!isUnexplained(exchange) || !loginMetadata(transcript).covers) return gate;
  const words = `refused us (HTTP ${exchange.response?.status}), and its host publishes how to log in at this address`;
  return { reason: "auth-required-by-words", words };
}

/** The opening of another session that an exchange without an answer led to; undefined where none did. */
function reopeningAfter(transcript: Transcript, exchange: Exchange): Exchange | undefined {
  if (resultOf(exchange)) return undefined;
  const all = exchanges(transcript).filter(({ purpose }) => purpose !== "answer");
  const next = all[all.findIndex(({ number }) => number === exchange.number) + 1];
  return next?.purpose === "reopening" ? next : undefined;
}

/** Whether an exchange was refused in a way that a published login would explain. */
export function isUnexplained(exchange: Exchange): boolean {
  const gate = gateOf(exchange);
  const status = exchange.response?.status;
  if (status === 403) return gate?.reason === "refused" && !isChallenged(exchange);
  return status === 400 && !gate && exchange.purpose === "opening" && !resultOf(exchange);
}

/** Whether a gate at this exchange counts: at what we ask, not at what we answer or look up. */
export const meetsGates = ({ purpose }: Exchange): boolean =>
  !UNREAD.has(purpose) && purpose !== "answer" && purpose !== "resume";

/** Whether a gate asks for credentials, however it was told. */
export function asksForLogin(gate: Gate | undefined): boolean {
  return gate?.reason === "auth-required" || gate?.reason === "auth-required-by-words";
}

/** Whether a CDN put a challenge for browsers in the server's place. */
const isChallenged = (exchange: Exchange) =>
  responseHeader(exchange, "cf-mitigated") === "challenge";

function gateByStatus(exchange: Exchange, status: number | undefined): Gate | undefined {
  if (isChallenged(exchange)) {
    const words = `was hidden behind a bot challenge of its CDN (HTTP ${status})`;
    return { reason: "refused", words };
  }
  switch (status) {
    case 401:
    case 407:
      return { reason: "auth-required", words: `asks for credentials (HTTP ${status})` };
    case 402:
      return { reason: "payment-required", words: "asks for payment (HTTP 402)" };
    case 403:
      return forbidden(exchange);
    case 429:
      return { reason: "rate-limited", words: "asks us to slow down (HTTP 429)" };
    default:
      return undefined;
  }
}

/** A 403 may be a login, a filter of hosts, or a wall: only what asks for credentials is a login. */
function forbidden(exchange: Exchange): Gate {
  const [challenge] = challengesOf(exchange);
  if (challenge) {
    const words = `asks for credentials (HTTP 403 with a challenge, ${excerpt(challenge.scheme)})`;
    return { reason: "auth-required-by-words", words };
  }
  return (
    demandIn(exchange.bodyStart(), "HTTP 403") ?? {
      reason: "refused",
      words: "refused us (HTTP 403)",
    }
  );
}

/** What an error says, or the page of a 400. A code of JSON-RPC alone proves nothing. */
function gateByReply(exchange: Exchange, status: number | undefined): Gate | undefined {
  const error = errorOf(exchange);
  const isCall = exchange.purpose === "call" || exchange.purpose === "bad-input";
  if (isCall && error?.code === PAYMENT_REQUIRED) {
    return { reason: "payment-required-by-code", words: "asks for payment (JSON-RPC error 402)" };
  }
  if (error) {
    const text = exchange.reply!.message.text.slice(0, ERROR_START);
    const code = typeof error.code === "number" ? ` ${error.code}` : "";
    return demandIn(text, `JSON-RPC error${code}`);
  }
  if (status !== 400 || resultOf(exchange)) return undefined;
  return demandIn(exchange.bodyStart(), "HTTP 400");
}

function demandIn(text: string, where: string): Gate | undefined {
  const demand = credentialDemand(text);
  if (demand === undefined) return undefined;
  const words = `asks for credentials in words (${where}: ${excerpt(demand)})`;
  return { reason: "auth-required-by-words", words };
}
