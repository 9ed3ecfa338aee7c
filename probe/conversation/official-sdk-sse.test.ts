/** Conversations with servers of the official TypeScript SDK over HTTP+SSE. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { checks } from "../checks/index.ts";
import { evaluate } from "../evaluate.ts";
import { facts } from "../facts/index.ts";
import { record } from "../record.ts";
import { remoteTarget } from "../testing/transcripts.ts";

function makeServer(): McpServer {
  const server = new McpServer({ name: "official", version: "1.0.0" });
  server.registerTool("ping_me", { description: "Answers." }, () => ({ content: [] }));
  // Written right behind the opening, unasked, on the stream that carries the replies.
  server.server.oninitialized = () => void server.server.sendToolListChanged();
  return server;
}

/** Serves at a path; `newer` answers a POST there as a server does that knows no POST. */
async function serve(path: string, messages: string, newer: number): Promise<string> {
  const sessions = new Map<string, SSEServerTransport>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    if (url.pathname === path && request.method === "GET") {
      const transport = new SSEServerTransport(messages, response);
      sessions.set(transport.sessionId, transport);
      void makeServer().connect(transport as Parameters<McpServer["connect"]>[0]);
      return;
    }
    if (url.pathname === path) return void response.writeHead(newer).end("no POST here");
    const session = sessions.get(url.searchParams.get("sessionId") ?? "");
    if (!session) return void response.writeHead(404).end("no such session");
    void session.handlePostMessage(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
}

describe("a server of the official SDK passes every check over HTTP+SSE", () => {
  test.each<[string, path: string, messages: string, newer: number, "sse" | "streamable-http"]>([
    ["as listed", "/events", "/messages", 405, "sse"],
    ["with a query of its own", "/sse", "/messages?tenant=a%20b", 405, "sse"],
    [
      "behind a listing that names the newer transport",
      "/mcp",
      "/mcp/messages",
      405,
      "streamable-http",
    ],
    ["behind one that answers the POST with 404", "/mcp", "/mcp/messages", 404, "streamable-http"],
    ["behind one that answers the POST with 400", "/mcp", "/mcp/messages", 400, "streamable-http"],
  ])("%s", async (_, path, messages, newer, transport) => {
    const target = { ...remoteTarget(await serve(path, messages, newer)), transport };
    const judged = evaluate(await record(target, { allowLoopback: true }), { checks, facts });
    const others = judged.checks.filter(({ outcome }) => !/passed|inapplicable/.test(outcome));
    expect(others).toEqual([]);
    expect(judged.facts["transport"]).toBe("sse");
  });
});
