/** The modern era: every request carries its version and who asks; there is no session to open. */
import { PROBE } from "../identity.ts";
import { limit, newestVersion } from "../rules.ts";
import type { Exchange } from "../views/exchanges.ts";
import { own } from "../views/json.ts";
import type { Dialogue } from "./dialogue.ts";
import { type Ask, CONTENT_HEADERS, type Wire } from "./wire.ts";

/** Members of `_meta` on every request: https://modelcontextprotocol.io/specification/2026-07-28 */
const META = {
  "io.modelcontextprotocol/protocolVersion": newestVersion("modern"),
  "io.modelcontextprotocol/clientInfo": PROBE,
  "io.modelcontextprotocol/clientCapabilities": {},
} as const;

/** Methods whose `Mcp-Name` header repeats a parameter, and which one. */
const NAMED_BY: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

/** Asks what the server is and speaks. */
export function discover(
  dialogue: Dialogue,
  ms = limit("opening"),
  purpose: "opening" | "other-era" = "opening",
): Promise<Exchange> {
  return ask(dialogue, { method: "server/discover", purpose }, ms);
}

/**
 * Asks a server that was talked to in the legacy era whether it speaks the modern one too, as a
 * stranger would: without its session. Only a fact reads the answer.
 */
export function discoverOtherEra(dialogue: Dialogue): Promise<Exchange> {
  dialogue.answerWith(undefined);
  return discover(dialogue, limit("other-era"), "other-era");
}

/** The wire after a successful `server/discover`. */
export function stateless(dialogue: Dialogue): Wire {
  // In this era a server asks nothing on its own; a request from it is its fault, and not answered.
  dialogue.answerWith(undefined);
  return {
    async ready() {},
    request: (what, ms) => ask(dialogue, what, ms),
    async end() {},
  };
}

function ask(dialogue: Dialogue, what: Ask, ms: number): Promise<Exchange> {
  const { method, purpose, params = {}, id = dialogue.nextId() } = what;
  const name = own(params, NAMED_BY[method] ?? "");
  const headers = {
    ...CONTENT_HEADERS,
    "mcp-protocol-version": newestVersion("modern"),
    "mcp-method": method,
    ...(typeof name === "string" ? { "mcp-name": headerValue(name) } : {}),
  };
  const message = { jsonrpc: "2.0", id, method, params: { ...params, _meta: META } };
  return dialogue.request({ purpose, body: JSON.stringify(message), headers }, ms);
}

const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const LOOKS_ENCODED = /^=\?base64\?.*\?=$/;

/** A header's value as the specification encodes it when HTTP could not carry it as it is. */
export function headerValue(text: string): string {
  if (PLAIN.test(text) && !LOOKS_ENCODED.test(text)) return text;
  return `=?base64?${Buffer.from(text).toString("base64")}?=`;
}
