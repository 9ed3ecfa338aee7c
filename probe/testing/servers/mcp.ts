/**
 * A small MCP server over streamable HTTP, for conversations: healthy, legacy era, one tool; a test
 * names what it answers differently. It keeps what it was asked, headers included.
 */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { INITIALIZE, METHOD_NOT_FOUND, TOOLS } from "../transcripts.ts";

export interface Asked {
  readonly http: string;
  readonly headers: IncomingHttpHeaders;
  readonly method: string | undefined;
  readonly params: Record<string, unknown> | undefined;
  readonly message: Record<string, unknown>;
}

/** A JSON-RPC payload, or a whole HTTP answer, or `"hang"` for none at all. */
export type Reply =
  | { result: unknown }
  | { error: unknown; status?: number }
  | {
      status: number;
      headers?: Record<string, string>;
      body?: string;
      /** Milliseconds to wait before it is sent, and what to do then. */
      after?: number;
      sent?: () => void;
    }
  | "hang";

export interface McpServer {
  readonly url: string;
  readonly asked: readonly Asked[];
  stop(): Promise<void>;
}

/** Starts one; `answer` may leave any request to the healthy server by returning undefined. */
export async function serveMcp(
  answer: (asked: Asked, all: readonly Asked[]) => Reply | undefined = () => undefined,
): Promise<McpServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const body = Buffer.concat(parts).toString();
      const message = (body === "" ? {} : JSON.parse(body)) as Record<string, unknown>;
      const one: Asked = {
        http: request.method ?? "",
        headers: request.headers,
        method: message["method"] as string | undefined,
        params: message["params"] as Record<string, unknown> | undefined,
        message,
      };
      asked.push(one);
      const reply = answer(one, asked) ?? healthy(one);
      if (reply === "hang") return;
      if ("result" in reply || "error" in reply) {
        const status = "status" in reply && reply.status ? reply.status : 200;
        const payload = "result" in reply ? { result: reply.result } : { error: reply.error };
        response.writeHead(status, { "content-type": "application/json" });
        response.end(JSON.stringify({ jsonrpc: "2.0", id: message["id"], ...payload }));
      } else {
        setTimeout(() => {
          reply.sent?.();
          response.writeHead(reply.status, reply.headers);
          response.end(reply.body);
        }, reply.after ?? 0);
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    asked,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** What the healthy server answers. */
export function healthy({ http, method, message }: Asked): Reply {
  if (http !== "POST") return { status: 405 };
  if (message["id"] === undefined || method === undefined) return { status: 202 };
  if (method === "initialize") return { result: INITIALIZE };
  if (method === "tools/list") return { result: TOOLS };
  return { error: METHOD_NOT_FOUND };
}
