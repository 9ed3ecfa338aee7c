/** Which transport a remote is asked over, and when the other one is tried. */
import type { ServerResponse } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { checks } from "../checks/index.ts";
import { evaluate } from "../evaluate.ts";
import { facts } from "../facts/index.ts";
import { record, type RecordOptions } from "../record.ts";
import { serveMcp } from "../testing/servers/mcp.ts";
import { ENDPOINT, endpointEvent, serveSse, type Ways } from "../testing/servers/sse.ts";
import { remoteTarget } from "../testing/transcripts.ts";
import { opening } from "../views/opening.ts";
import { transportsFor } from "./transports.ts";

const OPENED = ["GET /mcp", `POST ${ENDPOINT}`];
const refusedBoth = ["POST /mcp", "POST /mcp"];

async function ask(ways: Ways, options: RecordOptions = {}, transport = "streamable-http") {
  const server = await serveSse({ path: "/mcp", ...ways });
  onTestFinished(() => server.stop());
  const target = { ...remoteTarget(server.url), transport: transport as "sse" };
  const transcript = await record(target, { allowLoopback: true, kind: "liveness", ...options });
  const judged = evaluate(transcript, { checks, facts });
  const [, , initialize] = judged.checks;
  const fact = judged.facts["transport"];
  return { requests: server.requests, transcript, judged, initialize, fact };
}

const answer =
  (status: number, body = "", type = "text/plain") =>
  (response: ServerResponse): void =>
    void response.writeHead(status, { "content-type": type }).end(body);

const JSON_TYPE = "application/json";
const RPC_ERROR = '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no"}}';

describe("a listing of streamable HTTP whose server speaks HTTP+SSE opens, when a POST is answered", () => {
  test.each<[string, Ways, before: string[]]>([
    ["with 405", {}, refusedBoth],
    ["with 404", { postToStream: answer(404) }, refusedBoth],
    ["with 411", { postToStream: answer(411) }, refusedBoth],
    ["with 405 and an error", { postToStream: answer(405, RPC_ERROR, JSON_TYPE) }, refusedBoth],
    ["with 400 and an error", { postToStream: answer(400, RPC_ERROR, JSON_TYPE) }, refusedBoth],
    ["with 400 in words", { postToStream: answer(400, "missing sessionId") }, refusedBoth],
    ["with a page", { postToStream: answer(200, "<p>", "text/html") }, refusedBoth],
    [
      "with the stream that a GET should bring",
      {
        postToStream: (response) => {
          response.writeHead(200, { "content-type": "text/event-stream" }).write(endpointEvent());
        },
      },
      ["POST /mcp"],
    ],
  ])("%s", async (_, ways, before) => {
    const { requests, judged, fact } = await ask(ways, { kind: "full" });
    expect(requests.slice(0, before.length + 2)).toEqual([...before, ...OPENED]);
    const others = judged.checks.filter(({ outcome }) => !/passed|inapplicable/.test(outcome));
    expect([others, fact]).toEqual([[], "sse"]);
  });
});

describe("no GET is tried when a POST is answered", () => {
  test.each<[string, Ways, reason: string]>([
    ["with a failure", { postToStream: answer(503) }, "http-status"],
    ["with a login", { postToStream: answer(401) }, "auth-required"],
    ["with patience", { postToStream: answer(429) }, "rate-limited"],
    ["with a refusal", { postToStream: answer(403) }, "refused"],
    ["with an error message", { postToStream: answer(200, RPC_ERROR, JSON_TYPE) }, "rpc-error"],
    ["with a redirect", { postToStream: answer(302) }, "http-status"],
    [
      "by a closed connection",
      { postToStream: (response) => response.destroy() },
      "closed-without-response",
    ],
  ])("%s", async (_, ways, reason) => {
    const { requests, initialize } = await ask(ways);
    // Documents about a login are looked up elsewhere.
    const gets = requests.filter((request) => /^GET \/(?!\.well-known\/)/.test(request));
    expect(gets).toEqual([]);
    expect(initialize!.reason).toBe(reason);
  });
});

describe("what a fallback met is not published in place of what the listed transport said", () => {
  test("for a POST that was turned down, and a GET too", async () => {
    const { transcript, initialize } = await ask({ get: answer(404) });
    expect(opening(transcript).exchange).toMatchObject({ purpose: "opening" });
    expect(initialize!.because).toContain("HTTP 405");
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ["turned down", answer(405)],
    ["failed", answer(500)],
    ["cut off", (response) => response.destroy()],
  ])("for a URL that ends in /sse, whose GET goes first and is %s", async (_, get) => {
    const { requests, initialize } = await ask({ path: "/sse", get, postToStream: answer(503) });
    expect(requests).toEqual(["GET /sse", "POST /sse"]);
    expect(initialize!.because).toContain("HTTP 503");
  });

  test("unless it named an endpoint: then the server speaks HTTP+SSE", async () => {
    const { initialize } = await ask({
      post({ response }) {
        answer(500)(response);
        return true;
      },
    });
    expect(initialize!.because).toContain("HTTP 500");
  });

  test("nor unless it asks for a login", async () => {
    const { initialize } = await ask({ get: answer(401) });
    expect(initialize!.reason).toBe("auth-required");
  });
});

test.each([401, 403, 404, 500])(
  "a URL that ends in /sse and is listed as streamable HTTP opens although its GET meets %i",
  async (status) => {
    const server = await serveMcp(({ http }) => (http === "GET" ? { status } : undefined));
    onTestFinished(() => server.stop());
    const url = server.url.replace("/mcp", "/sse");
    const transcript = await record(remoteTarget(url), { allowLoopback: true, kind: "liveness" });
    expect(server.asked.map(({ http }) => http)).toEqual(["GET", "POST"]);
    expect(opening(transcript).opened).toBe(true);
    const { auth } = evaluate(transcript, { checks, facts }).facts;
    expect(auth).toEqual({ model: "none", where: null });
  },
);

test("a listing of HTTP+SSE whose server speaks streamable HTTP opens", async () => {
  const server = await serveMcp();
  onTestFinished(() => server.stop());
  const target = { ...remoteTarget(server.url), transport: "sse" as const };
  const transcript = await record(target, { allowLoopback: true });
  const judged = evaluate(transcript, { checks, facts });
  const bad = judged.checks.filter(({ outcome }) => !/passed|inapplicable/.test(outcome));
  expect([bad, judged.facts["transport"]]).toEqual([[], "streamable-http"]);
  expect(server.asked.slice(0, 2).map(({ http }) => http)).toEqual(["GET", "POST"]);
});

test("one that was asked for is the only one that is tried", async () => {
  const newer = await ask({}, { transport: "streamable-http" }, "sse");
  expect(newer.requests).toEqual(refusedBoth);
  const older = await ask({ get: answer(404) }, { transport: "sse" });
  expect(older.requests).toEqual(["GET /mcp"]);
});

test.each([
  ["its listing says so", "https://x.example/mcp", "sse", "auto", "sse"],
  ["its URL ends so", "https://x.example/a/sse", "streamable-http", "auto", "sse"],
  [
    "not when only a part of its name does",
    "https://x.example/messe",
    "streamable-http",
    "auto",
    "streamable-http",
  ],
  ["never in the newer era", "https://x.example/sse", "sse", "modern", "streamable-http"],
] as const)("HTTP+SSE goes first: %s", (_, url, transport, era, first) => {
  expect(transportsFor({ ...remoteTarget(url), transport }, era)[0]).toBe(first);
});
