/**
 * The probe as the client that the official conformance suite tests. The suite starts it with the URL
 * of one of its servers as the last argument, and reads what arrives there.
 */
import type { Call } from "../../conversation/conversation.ts";
import { record } from "../../record.ts";
import { remoteTarget } from "../transcripts.ts";

/** What the suite's servers wait to be asked, by scenario. Their tools do nothing. */
const CALLS: ReadonlyMap<string | undefined, Call> = new Map([
  ["tools_call", { name: "add_numbers", arguments: { a: 2, b: 3 } }],
  ["sse-retry", { name: "test_reconnection", arguments: {} }],
  ["http-invalid-tool-headers", { name: "valid_tool", arguments: { region: "here" } }],
]);

const url = process.argv.at(-1)!;
// The suite names the version to speak. Legacy first is our order, so only the modern era is forced.
const modern = process.env["MCP_CONFORMANCE_PROTOCOL_VERSION"] === "2026-07-28";

await record(remoteTarget(url), {
  kind: "full",
  era: modern ? "modern" : "auto",
  allowLoopback: true,
  call: CALLS.get(process.env["MCP_CONFORMANCE_SCENARIO"]),
});
