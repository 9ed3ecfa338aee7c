/**
 * The probe as the client that the official conformance suite tests. The suite starts it with the URL
 * of one of its servers as the last argument, and reads what arrives there.
 */
import { record } from "../../record.ts";
import { remoteTarget } from "../transcripts.ts";

const url = process.argv.at(-1)!;
// The suite names the version to speak. Legacy first is our order, so only the modern era is forced.
const modern = process.env["MCP_CONFORMANCE_PROTOCOL_VERSION"] === "2026-07-28";

await record(remoteTarget(url), {
  kind: "full",
  era: modern ? "modern" : "auto",
  allowLoopback: true,
});
