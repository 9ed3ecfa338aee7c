import { describe, expect, test } from "vitest";
import {
  type Answer,
  httpTranscript,
  remoteTarget,
  stdioTranscript,
} from "../testing/transcripts.ts";
import type { Event, Purpose } from "../transcript/schema.ts";
import { exchanges } from "./exchanges.ts";
import { gateIn, gateOf } from "./gates.ts";
import { document, PUBLISHED } from "../testing/login.ts";

const opened = (initialize: Answer) => httpTranscript({ answers: { initialize }, requests: [] });
const gate = (answer: Answer) => gateOf(exchanges(opened(answer))[0]!);

const error = (code: number, message: string, status = 200): Answer => ({
  error: { code, message },
  status,
});

describe("the status alone says that it is a gate", () => {
  test.each([
    [401, "auth-required"],
    [407, "auth-required"],
    [402, "payment-required"],
    [403, "refused"],
    [429, "rate-limited"],
  ])("HTTP %i, as %s", (status, reason) => {
    expect(gate({ raw: "", status })).toMatchObject({ reason });
  });

  test.each([200, 301, 400, 404, 405, 421, 500, 502, 503])("but not HTTP %i", (status) => {
    expect(gate({ raw: "", status })).toBeUndefined();
  });

  test.each([200, 401, 403, 404, 429, 503])(
    "a bot challenge is a refusal on any status, also on %i",
    (status) => {
      const headers = { "cf-mitigated": "challenge", "WWW-Authenticate": "Bearer" };
      expect(gate({ raw: "API key required", status, headers })).toMatchObject({
        reason: "refused",
      });
    },
  );

  test("the text of a challenge page proves nothing", () => {
    expect(gate({ raw: "<title>Just a moment...</title>", status: 503 })).toBeUndefined();
  });
});

describe("credentials are asked for by words", () => {
  test.each<[string, Answer]>([
    ["a 403 that names a key", { raw: '{"error":"API key required"}', status: 403 }],
    [
      "a 400 that names a parameter",
      { raw: '{"message":"Missing query parameter api_key"}', status: 400 },
    ],
    [
      "a 400 in plain text",
      { raw: "Unauthorized", status: 400, headers: { "content-type": "text/plain" } },
    ],
    ["an error in 200", error(-32001, "Unauthorized: missing access key")],
    ["an error in 400", error(-32000, "Authentication required", 400)],
    ["an error in 500", error(-32603, "Missing API key", 500)],
  ])("%s", (_, answer) => {
    expect(gate(answer)).toMatchObject({ reason: "auth-required-by-words" });
  });

  test("a challenge on a 403", () => {
    const headers = { "WWW-Authenticate": 'Bearer error="insufficient_scope"' };
    expect(gate({ raw: "", status: 403, headers })).toMatchObject({
      reason: "auth-required-by-words",
    });
  });

  test("an error over stdio", () => {
    const initialize = error(-32000, "API key is required");
    const [first] = exchanges(stdioTranscript({ answers: { initialize }, requests: [] }));
    expect(gateOf(first!)).toMatchObject({ reason: "auth-required-by-words" });
  });

  test("at any later request as well", () => {
    const transcript = httpTranscript({
      answers: { "tools/list": error(-32001, "Unauthorized") },
    });
    const list = exchanges(transcript).find(({ method }) => method === "tools/list")!;
    expect(gateOf(list)).toMatchObject({ reason: "auth-required-by-words" });
  });
});

describe("nothing is asked for by", () => {
  test.each<[string, Answer]>([
    ["a code without words", error(-32001, "Session not found")],
    ["an unknown method", error(-32601, "Method not found")],
    ["a parser", error(-32700, "Unexpected token < in JSON", 400)],
    ["a guard of hosts", { raw: "Invalid Host header", status: 421 }],
    ["a page that is not found, whatever it says", { raw: "API key required", status: 404 }],
    ["a broken server, whatever its page says", { raw: "API key required", status: 500 }],
    ["a result", { result: { text: "Unauthorized" } }],
    ["words behind the first 4 KiB", { raw: `${" ".repeat(4096)}API key required`, status: 400 }],
  ])("%s", (_, answer) => {
    expect(gate(answer)).toBeUndefined();
  });

  test("a 403 that only refuses", () => {
    expect(gate({ raw: '{"error":"forbidden"}', status: 403 })).toMatchObject({
      reason: "refused",
    });
  });
});

describe("a call is paid for", () => {
  const called = (purpose: Purpose, answer: Answer) => {
    const requests = [{ method: "tools/call", purpose }];
    return gateOf(exchanges(httpTranscript({ requests, answers: { "tools/call": answer } }))[1]!);
  };

  test.each<Purpose>(["call", "bad-input"])("by JSON-RPC code 402 (%s)", (purpose) => {
    expect(called(purpose, error(402, "Pay"))).toMatchObject({
      reason: "payment-required-by-code",
    });
  });

  test("by HTTP 402", () => {
    expect(called("call", { raw: "", status: 402 })).toMatchObject({ reason: "payment-required" });
  });

  test("and nothing else is, by that code alone", () => {
    expect(called("list", error(402, "Pay"))).toBeUndefined();
    expect(gate(error(402, "Pay"))).toBeUndefined();
  });
});

describe("a published login explains", () => {
  const base = opened({ raw: "no", status: 403 });
  const withDocument = (transcript = base, json: unknown = PUBLISHED) => ({
    ...transcript,
    events: [...transcript.events, ...document("https://mcp.example/.well-known/x", json)],
  });
  const first = (transcript: typeof base) => gateIn(transcript, exchanges(transcript)[0]!);

  test("a 403", () => {
    expect(first(withDocument())).toMatchObject({ reason: "auth-required-by-words" });
  });

  test("a 400 that refused the opening", () => {
    expect(first(withDocument(opened({ raw: "no", status: 400 })))).toMatchObject({
      reason: "auth-required-by-words",
    });
  });

  test.each<[string, unknown]>([
    ["about another address", { ...PUBLISHED, resource: "https://mcp.example/other" }],
    ["about a longer name", { ...PUBLISHED, resource: "https://mcp.example/mc" }],
    ["about another host", { ...PUBLISHED, resource: "https://other.example" }],
    ["without authorization servers", { resource: PUBLISHED.resource }],
    ["that is none", { status: "ok" }],
  ])("nothing by a document %s", (_, json) => {
    expect(first(withDocument(base, json))).toMatchObject({ reason: "refused" });
  });

  test.each([
    ["the root of the host", "https://MCP.example/"],
    ["the address with a slash", "https://mcp.example/mcp/"],
  ])("it by a document about %s", (_, resource) => {
    expect(first(withDocument(base, { ...PUBLISHED, resource }))).toMatchObject({
      reason: "auth-required-by-words",
    });
  });

  test("neither a bot challenge, nor another status", () => {
    const headers = { "cf-mitigated": "challenge" };
    const challenged = withDocument(opened({ raw: "", status: 403, headers }));
    expect(first(challenged)).toMatchObject({ reason: "refused" });
    expect(first(withDocument(opened({ raw: "", status: 404 })))).toBeUndefined();
  });

  test("nothing for a process", () => {
    const events: Event[] = document("https://mcp.example/.well-known/x", PUBLISHED);
    const transcript = {
      ...base,
      target: stdioTranscript().target,
      events: [...base.events, ...events],
    };
    expect(first(transcript)).toMatchObject({ reason: "refused" });
    expect(first({ ...transcript, target: remoteTarget("https://mcp.example/mcp") })).toMatchObject(
      {
        reason: "auth-required-by-words",
      },
    );
  });
});
