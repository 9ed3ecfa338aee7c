/** The legacy era: `initialize`, a session perhaps, and the negotiated version on every request. */
import { PROBE } from "../identity.ts";
import { limit, newestVersion } from "../rules.ts";
import type { Purpose } from "../transcript/schema.ts";
import { errorOf, type Exchange, METHOD_NOT_FOUND, resultOf } from "../views/exchanges.ts";
import { gateOf } from "../views/gates.ts";
import { own } from "../views/json.ts";
import { headerOf } from "../views/messages.ts";
import type { Dialogue } from "./dialogue.ts";
import { CONTENT_HEADERS, sessionIn, type Wire } from "./wire.ts";

/** Asks to initialize with a version, by default the newest of the era. */
export function initialize(
  dialogue: Dialogue,
  version = newestVersion("legacy"),
  purpose: Purpose = "opening",
): Promise<Exchange> {
  const params = { protocolVersion: version, capabilities: {}, clientInfo: PROBE };
  const message = { jsonrpc: "2.0", id: dialogue.nextId(), method: "initialize", params };
  // No version header yet: it names what was negotiated, and nothing was.
  return dialogue.request(
    { purpose, body: JSON.stringify(message), headers: CONTENT_HEADERS },
    limit("opening"),
  );
}

/** What every message after the opening carries in its headers. */
function identityOf(opened: Exchange): Readonly<Record<string, string>> {
  const session = sessionIn(opened.response);
  const version = own(resultOf(opened), "protocolVersion");
  return {
    ...(session === undefined ? {} : { "mcp-session-id": session }),
    ...(isHeaderValue(version) ? { "mcp-protocol-version": version } : {}),
  };
}

/** The wire after a successful `initialize`. */
export function stateful(dialogue: Dialogue, opened: Exchange): Wire {
  let identity = identityOf(opened);
  let reopened = false;
  const headers = () => ({ ...CONTENT_HEADERS, ...identity });
  dialogue.answerWith(headers());

  function ready(): Promise<void> {
    const body = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
    return dialogue.notify({ purpose: "initialized", body, headers: headers() });
  }

  /** Opens another session, once: a server may forget ours, but not for ever. */
  async function reopen(): Promise<Exchange | undefined> {
    if (reopened || !dialogue.transport.alive) return undefined;
    reopened = true;
    const version = own(resultOf(opened), "protocolVersion");
    const offered = isHeaderValue(version) ? version : undefined;
    const again = await initialize(dialogue, offered, "reopening");
    if (!resultOf(again)) return again;
    identity = identityOf(again);
    dialogue.answerWith(headers());
    await ready();
    return again;
  }

  return {
    ready,
    async request({ method, purpose, params, id = dialogue.nextId() }, ms) {
      const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
      const exchange = await dialogue.request({ purpose, body, headers: headers() }, ms);
      const again = lostSession(exchange) ? await reopen() : undefined;
      // A gate in the way of another session stands in the way of everything that is left.
      if (again && gateOf(again)) return again;
      if (!resultOf(again) || !dialogue.transport.alive) return exchange;
      const repeated = { purpose, body, headers: headers(), continues: exchange.number };
      return dialogue.request(repeated, ms);
    },
    async end() {
      // HTTP+SSE ends with its stream and knows no DELETE.
      const hasSession = identity["mcp-session-id"] !== undefined;
      if (!hasSession || dialogue.transport.kind === "http-sse") return;
      await dialogue.request(
        { purpose: "goodbye", method: "DELETE", body: "", headers: identity },
        limit("notification"),
      );
    },
  };
}

/**
 * Whether a server says that it no longer knows our session: by 404, as the specification wants, or
 * by 400 and words, as many do. An error of its own for this very request says that it does know it.
 */
function lostSession(exchange: Exchange): boolean {
  const { response, sent, reply } = exchange;
  if (headerOf(sent.http?.headers ?? [], "mcp-session-id") === undefined) return false;
  if (response?.status !== 404 && response?.status !== 400) return false;
  if (reply?.exact && errorOf(exchange)?.code === METHOD_NOT_FOUND) return false;
  const named = /session/i.test(exchange.bodyStart());
  return named || (response.status === 404 && !reply?.exact);
}

/** What HTTP can carry as a header's value: printable ASCII. */
function isHeaderValue(value: unknown): value is string {
  return typeof value === "string" && /^[\x21-\x7e]+$/.test(value);
}
