import { describe, expect, test } from "vitest";
import { document, PUBLISHED, SERVER } from "../testing/login.ts";
import { httpTranscript } from "../testing/transcripts.ts";
import type { Event } from "../transcript/schema.ts";
import { isWithin, loginMetadata } from "./login-metadata.ts";

const RESOURCE_URL = "https://mcp.example/.well-known/oauth-protected-resource/mcp";
const SERVER_URL = "https://login.example/.well-known/oauth-authorization-server/tenant";

const base = httpTranscript({ answers: { initialize: { raw: "", status: 401 } }, requests: [] });
const read = (...events: Event[][]) =>
  loginMetadata({ ...base, events: [...base.events, ...events.flat()] });

test("nothing was looked up", () => {
  expect(read()).toMatchObject({ asked: false, resource: undefined, server: undefined });
});

test("both documents are found among those that were asked for", () => {
  const found = read(
    document("https://mcp.example/a", { error: "not found" }, { exchange: 90, status: 404 }),
    document(RESOURCE_URL, PUBLISHED, { exchange: 91 }),
    document(SERVER_URL, SERVER, { exchange: 92 }),
  );
  expect(found).toMatchObject({
    asked: true,
    covers: true,
    resource: { url: RESOURCE_URL },
    server: { url: SERVER_URL },
    servers: PUBLISHED.authorization_servers,
  });
});

describe("a document about a server is taken", () => {
  const server = (json: unknown) =>
    read(document(RESOURCE_URL, PUBLISHED), document(SERVER_URL, json, { exchange: 91 })).server;

  test("when its issuer is the one that was named, but for a slash at the end", () => {
    expect(server(SERVER)).toBeDefined();
    expect(server({ ...SERVER, issuer: `${SERVER.issuer}/` })).toBeDefined();
  });

  test.each<[string, unknown]>([
    ["with another issuer", { ...SERVER, issuer: "https://login.example/other" }],
    ["without an issuer", { ...SERVER, issuer: undefined }],
    ["without a token endpoint", { ...SERVER, token_endpoint: "" }],
    ["that is a list", [SERVER]],
  ])("but not one %s", (_, json) => {
    expect(server(json)).toBeUndefined();
  });

  test("of any issuer, when nothing describes the resource: then the host speaks for itself", () => {
    expect(read(document(SERVER_URL, SERVER)).server).toBeDefined();
  });
});

test("a page with another status, or that is no JSON, describes nothing", () => {
  expect(read(document(RESOURCE_URL, PUBLISHED, { status: 403 })).resource).toBeUndefined();
  expect(read(document(RESOURCE_URL, "text")).resource).toBeUndefined();
});

test.each([
  ["https://a.example/mcp", "https://a.example/mcp", true],
  ["https://a.example/mcp?x=1", "https://a.example/mcp", true],
  ["https://a.example/mcp", "https://A.example", true],
  ["https://a.example/mcp/v1", "https://a.example/mcp/", true],
  ["https://a.example/MCP", "https://a.example/mcp", false],
  ["https://a.example/mcp", "https://a.example/mcp/v1", false],
  ["https://a.example.evil/mcp", "https://a.example", false],
  ["http://a.example/mcp", "https://a.example/mcp", false],
])("whether %s lies within %s: %s", (url, resource, expected) => {
  expect(isWithin(url, resource)).toBe(expected);
});
