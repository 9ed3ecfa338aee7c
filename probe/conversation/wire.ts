/** One interface for the two eras: how a request is dressed differs, what is asked does not. */
import type { Purpose } from "../transcript/schema.ts";
import type { Exchange } from "../views/exchanges.ts";
import { headerOf } from "../views/messages.ts";

export interface Wire {
  /** Says that we are ready, where the era asks for it. Must be through before any request. */
  ready(): Promise<void>;
  /** Asks and waits, `ms` at the most. */
  request(ask: Ask, ms: number): Promise<Exchange>;
  /** Says goodbye, where the era has a word for it. */
  end(): Promise<void>;
}

export interface Ask {
  readonly method: string;
  readonly purpose: Purpose;
  readonly params?: Readonly<Record<string, unknown>>;
  /** Only where a fixed id is wanted; otherwise requests count 1, 2, 3 … */
  readonly id?: string;
}

/** Headers of every POST. Servers must be offered both types, or they may answer 406. */
export const CONTENT_HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
} as const;

/** The session that an answer gives out. An empty name is none, as for the official clients. */
export function sessionIn(response: Exchange["response"]): string | undefined {
  return (response && headerOf(response.headers, "mcp-session-id")) || undefined;
}
