import { expect, test } from "vitest";
import { document, PUBLISHED, SERVER } from "../testing/login.ts";
import { httpTranscript } from "../testing/transcripts.ts";
import fact from "./auth_metadata.ts";

const base = httpTranscript({ answers: { initialize: { raw: "", status: 401 } }, requests: [] });
const read = (...documents: unknown[]) => {
  const events = documents.flatMap((json, index) =>
    document(`https://mcp.example/${index}`, json, { exchange: 90 + index }),
  );
  return fact.run({ ...base, events: [...base.events, ...events] });
};

test("what was published is said", () => {
  const value = read(PUBLISHED, SERVER)!;
  expect(value).toEqual({
    resource: "https://mcp.example/0",
    aboutTarget: true,
    servers: ["https://login.example/tenant"],
    server: "https://mcp.example/1",
    issuer: "https://login.example/tenant",
    scopes: ["read", "write"],
    registration: { dynamic: true, clientDocument: false },
  });
  expect(fact.show(value)).toBe(
    "resource document, 1 authorization server, server document, 2 scopes",
  );
});

test("a document about another address is said to be that", () => {
  const value = read({ ...PUBLISHED, resource: "https://other.example" })!;
  expect(value).toMatchObject({ aboutTarget: false, server: null, issuer: null });
  expect(fact.show(value)).toContain("about another address");
});

test("a server's own document alone is found", () => {
  expect(read(SERVER)).toMatchObject({ resource: null, servers: [], issuer: SERVER.issuer });
});

test("a stranger's lists and texts are cut", () => {
  const scopes = [...Array.from({ length: 1000 }, (_, index) => `s${index}`), 7, ""];
  const long = "x".repeat(10_000);
  const value = read({ ...PUBLISHED, authorization_servers: [long], scopes_supported: scopes })!;
  expect(value.scopes).toHaveLength(50);
  expect(value.servers[0]).toHaveLength(500);
});

test("absent when nothing was published", () => {
  expect(read()).toBeUndefined();
  expect(read({ status: "ok" })).toBeUndefined();
});
