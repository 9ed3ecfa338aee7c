/** What both servers of ours share: one Streamable HTTP endpoint on a loopback port. */
import { createServer } from "node:http";
import { type NodeIncomingMessageLike, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";

export interface Served {
  readonly name: string;
  readonly version: string;
  /** What becomes of requests of the eras before 2026-07-28. */
  readonly legacy: "stateless" | "reject";
  register(server: McpServer): void;
}

/** Serves `/mcp` on 127.0.0.1 at the port of `PORT`, and says on stderr when it does. */
export function serve({ name, version, legacy, register }: Served): void {
  const port = Number(process.env["PORT"]);
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name, version }, { capabilities: { tools: {} } });
      register(server);
      return server;
    },
    { legacy },
  );
  const listener = toNodeHandler(handler);
  createServer((request, response) => {
    // Its type has optional members where Node's has members that can be undefined.
    if (request.url === "/mcp") {
      return void listener(request as NodeIncomingMessageLike, response);
    }
    response.writeHead(404).end();
  }).listen(port, "127.0.0.1", () => {
    process.stderr.write(`${name} is listening on port ${port}\n`);
  });
}

/** A tool result that says the same to programs and to people. */
export function result<Value extends Readonly<Record<string, unknown>>>(value: Value) {
  return {
    content: [{ type: "text" as const, text: JSON.stringify(value) }],
    structuredContent: value,
  };
}
