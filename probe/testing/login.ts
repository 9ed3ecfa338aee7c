/** What the look-up of a login leaves on record, for tests. */
import { bytesOf } from "../transcript/body.ts";
import type { Event } from "../transcript/schema.ts";

/** A document about the address of the built conversations. */
export const PUBLISHED = {
  resource: "https://mcp.example/mcp",
  authorization_servers: ["https://login.example/tenant"],
  scopes_supported: ["read", "write"],
};

/** The document of the authorization server that it names. */
export const SERVER = {
  issuer: "https://login.example/tenant",
  authorization_endpoint: "https://login.example/authorize",
  token_endpoint: "https://login.example/token",
  registration_endpoint: "https://login.example/register",
};

/** One document that was asked for and came, or another status. */
export function document(
  url: string,
  json: unknown,
  { exchange = 90, status = 200 }: { exchange?: number; status?: number } = {},
): Event[] {
  const at = 1000 + exchange;
  return [
    {
      type: "sent",
      at,
      exchange,
      purpose: "auth-metadata",
      replies: exchange,
      http: { method: "GET", url, headers: [] },
      data: new Uint8Array(),
    },
    {
      type: "responded",
      at,
      exchange,
      status,
      headers: [["content-type", "application/json"]],
    },
    { type: "received", at, channel: exchange, data: bytesOf(JSON.stringify(json)) },
    { type: "ended", at, channel: exchange },
  ];
}
