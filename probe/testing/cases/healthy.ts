/** The healthy server that every variant starts from, on either wire. */
import { GET_WORD, INITIALIZE, METHOD_NOT_FOUND, TOOLS } from "../transcripts.ts";
import { own } from "../../views/json.ts";
import type { Ask } from "./case.ts";

export type Payload = { readonly result: unknown } | { readonly error: unknown };

const WORD = { content: [{ type: "text", text: "cat" }] };
const REFUSED = { content: [{ type: "text", text: "kind: noun or verb" }], isError: true };

/** What it answers to a request; undefined for what needs no answer. */
export function healthy({ method, id, params }: Ask): Payload | undefined {
  if (method === undefined || id === undefined) return undefined;
  if (method === "initialize") return { result: INITIALIZE };
  if (method === "tools/list") return { result: TOOLS };
  if (method === "tools/call" && params["name"] === GET_WORD.name) {
    const { kind } = (params["arguments"] ?? {}) as { kind?: unknown };
    return { result: kind === "noun" || kind === "verb" ? WORD : REFUSED };
  }
  return { error: METHOD_NOT_FOUND };
}

/** A whole response as text. */
export const reply = (id: unknown, payload: Payload): string =>
  JSON.stringify({ jsonrpc: "2.0", id, ...payload });

/**
 * Fills a text as it is to be sent: `<id>` is the id asked with, `<reply>` the healthy response, `<I>`,
 * `<T>` and `<U>` the healthy results of initialize and tools/list and the refusal.
 */
export function filled(text: string, ask: Ask): string {
  return text
    .replaceAll("<id>", JSON.stringify(ask.id) ?? "null")
    .replaceAll("<reply>", reply(ask.id, healthy(ask) ?? { result: {} }))
    .replaceAll("<I>", JSON.stringify(INITIALIZE))
    .replaceAll("<T>", JSON.stringify(TOOLS))
    .replaceAll("<U>", JSON.stringify(METHOD_NOT_FOUND));
}

/** Attempts start a minute apart; how long each takes to get through to here differs a little. */
const MINUTE_OR_SO = 50_000;

/** Keeps count of attempts and methods for `Ask`. An attempt begins a minute after the one before. */
export class Counter {
  #attempt = 0;
  #since = -Infinity;
  readonly #times = new Map<string, number>();

  /** Reads a message, which may be none, and counts it; to be called for each, with the time it came. */
  read(text: string, now: number): Omit<Ask, "http" | "host" | "path" | "headers"> {
    const message = (text === "" ? undefined : JSON.parse(text)) as Ask["message"];
    const method = own(message, "method") as string | undefined;
    return {
      ...this.#count(method, now),
      message,
      method,
      id: own(message, "id"),
      params: (own(message, "params") ?? {}) as Ask["params"],
    };
  }

  #count(method: string | undefined, now: number): { attempt: number; time: number } {
    if ((method === "initialize" || this.#attempt === 0) && now - this.#since >= MINUTE_OR_SO) {
      this.#attempt += 1;
      this.#since = now;
      this.#times.clear();
    }
    const time = (this.#times.get(method ?? "") ?? 0) + 1;
    this.#times.set(method ?? "", time);
    return { attempt: this.#attempt, time };
  }
}
