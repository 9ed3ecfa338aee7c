/** The legacy era: `initialize`, a session perhaps, and the negotiated version on every request. */
import { PROBE } from "../identity.ts";
import { limit, newestVersion } from "../rules.ts";
import { type Exchange, responseHeader, resultOf } from "../views/exchanges.ts";
import { own } from "../views/json.ts";
import type { Dialogue } from "./dialogue.ts";
import { CONTENT_HEADERS, type Wire } from "./wire.ts";

/** Asks to initialize with a version, by default the newest of the era. */
export function initialize(
  dialogue: Dialogue,
  version = newestVersion("legacy"),
): Promise<Exchange> {
  const params = { protocolVersion: version, capabilities: {}, clientInfo: PROBE };
  const message = { jsonrpc: "2.0", id: dialogue.nextId(), method: "initialize", params };
  // No version header yet: it names what was negotiated, and nothing was.
  return dialogue.request(
    { purpose: "opening", body: JSON.stringify(message), headers: CONTENT_HEADERS },
    limit("opening"),
  );
}

/** The wire after a successful `initialize`. */
export function stateful(dialogue: Dialogue, opened: Exchange): Wire {
  const session = responseHeader(opened, "mcp-session-id");
  const version = own(resultOf(opened), "protocolVersion");
  const identity = {
    ...(session === undefined ? {} : { "mcp-session-id": session }),
    ...(isHeaderValue(version) ? { "mcp-protocol-version": version } : {}),
  };
  const headers = { ...CONTENT_HEADERS, ...identity };
  dialogue.answerWith(headers);
  return {
    ready() {
      const body = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
      return dialogue.notify({ purpose: "initialized", body, headers });
    },
    request({ method, purpose, params, id = dialogue.nextId() }, ms) {
      const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
      return dialogue.request({ purpose, body, headers }, ms);
    },
    async end() {
      // HTTP+SSE ends with its stream and knows no DELETE.
      if (session === undefined || dialogue.transport.kind === "http-sse") return;
      await dialogue.request(
        { purpose: "goodbye", method: "DELETE", body: "", headers: identity },
        limit("notification"),
      );
    },
  };
}

/** What HTTP can carry as a header's value: printable ASCII. */
function isHeaderValue(value: unknown): value is string {
  return typeof value === "string" && /^[\x21-\x7e]+$/.test(value);
}
