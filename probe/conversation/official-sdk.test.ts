/** Conversations with servers made from the official TypeScript SDK, in the ways it can be set up. */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { checks } from "../checks/index.ts";
import { evaluate } from "../evaluate.ts";
import { facts } from "../facts/index.ts";
import { record } from "../record.ts";
import { remoteTarget } from "../testing/transcripts.ts";
import type { Transcript } from "../transcript/schema.ts";

type Options = ConstructorParameters<typeof StreamableHTTPServerTransport>[0];

function makeServer(): McpServer {
  const server = new McpServer({ name: "official", version: "1.0.0" });
  server.registerTool("ping_me", { description: "Answers." }, () => ({ content: [] }));
  return server;
}

/** Serves with a transport a request, or with one for all. */
async function serve(options: Options, shared: boolean): Promise<string> {
  const connect = async () => {
    const transport = new StreamableHTTPServerTransport(options);
    await makeServer().connect(transport as Parameters<McpServer["connect"]>[0]);
    return transport;
  };
  const one = shared ? await connect() : undefined;
  const server = createServer((request: IncomingMessage, response) => {
    void (async () => (one ?? (await connect())).handleRequest(request, response))();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const probe = (url: string) => record(remoteTarget(url), { allowLoopback: true });

const failuresOf = (transcript: Transcript) =>
  evaluate(transcript, { checks, facts })
    .checks.filter(({ outcome }) => outcome !== "passed" && outcome !== "inapplicable")
    .map(({ check, reason }) => [check, reason]);

describe("a server of the official SDK passes every check", () => {
  test.each<[string, Options, boolean]>([
    ["stateless, as JSON", { enableJsonResponse: true }, false],
    ["stateless, as events", {}, false],
    [
      "with one session, as JSON",
      { sessionIdGenerator: () => "s-1", enableJsonResponse: true },
      true,
    ],
    ["with one session, as events", { sessionIdGenerator: () => "s-1" }, true],
  ])("%s", async (_, options, shared) => {
    expect(failuresOf(await probe(await serve(options, shared)))).toEqual([]);
  });
});

test("one that refuses a second initialize is not read as another era, nor as a login", async () => {
  const url = await serve({ sessionIdGenerator: () => "s-1", enableJsonResponse: true }, true);
  await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "other", version: "1" },
      },
    }),
  });
  const [first] = failuresOf(await probe(url));
  expect(first).toEqual(["L0.initialize", "rpc-error"]);
});
