/**
 * A server over HTTP+SSE (protocol 2024-11-05) on a loopback port: healthy, or with whatever a test
 * does in its place. It keeps what it was asked.
 */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Behaviour, BINARY_PIECES } from "./behaviour.ts";
import { type Asked, healthy } from "./mcp.ts";

/** One message that was POSTed to the endpoint. */
export interface Post {
  readonly asked: Asked;
  /** The answer to this POST, not yet begun. */
  readonly response: ServerResponse;
  /** The newest stream. */
  readonly stream: ServerResponse;
  /** Writes a JSON-RPC message as an event. */
  say(message: object): void;
}

/** What is done differently. */
export interface Ways {
  /** Path of the stream; default `/sse`. */
  readonly path?: string;
  /** Answers the GET in place of a stream. */
  readonly get?: (response: ServerResponse) => void;
  /** What the stream begins with, piece by piece, or by host and port; default one endpoint event. */
  readonly begins?: readonly (string | Uint8Array)[] | ((host: string) => string);
  readonly contentType?: string;
  /** How an event is written; default with line feeds. */
  readonly event?: (json: string) => string;
  /** Deals with a message; false leaves it to the healthy server. */
  readonly post?: (post: Post) => boolean;
  /** Answers a POST to the stream's own URL; default 405. */
  readonly postToStream?: (response: ServerResponse) => void;
}

export interface SseServer {
  readonly url: string;
  readonly asked: readonly Asked[];
  /** `GET /sse`, `POST /message?session=1` … in the order they came. */
  readonly requests: readonly string[];
  /** Connections that are open right now. */
  connections(): Promise<number>;
  stop(): Promise<void>;
}

export const ENDPOINT = "/message?session=1";
export const endpointEvent = (data = ENDPOINT): string => `event: endpoint\ndata: ${data}\n\n`;
const asEvent = (json: string): string => `event: message\ndata: ${json}\n\n`;

/** Deals with one method alone. */
export const at =
  (method: string, act: (post: Post) => void) =>
  (post: Post): boolean => {
    if (post.asked.method !== method) return false;
    act(post);
    return true;
  };

/** The reply to a message, with a result. */
export const reply = ({ asked }: Post, result: unknown) => ({
  jsonrpc: "2.0",
  id: asked.message["id"],
  result,
});

export async function serveSse(ways: Ways = {}): Promise<SseServer> {
  const { path = "/sse", event = asEvent, begins = [endpointEvent()] } = ways;
  const asked: Asked[] = [];
  const requests: string[] = [];
  let stream: ServerResponse | undefined;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      requests.push(`${request.method} ${request.url}`);
      const isStream = request.url === path;
      if (isStream && request.method === "GET") {
        if (ways.get) return ways.get(response);
        stream = response;
        const type = ways.contentType ?? "text/event-stream";
        response.writeHead(200, { "content-type": type }).flushHeaders();
        const pieces = typeof begins === "function" ? [begins(request.headers.host ?? "")] : begins;
        for (const piece of pieces) response.write(piece);
        return;
      }
      if (isStream && request.method === "POST" && ways.postToStream) {
        return ways.postToStream(response);
      }
      if (isStream || request.method !== "POST" || !stream)
        return void response.writeHead(405).end();
      const message = JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>;
      const one: Asked = {
        http: "POST",
        headers: request.headers,
        method: message["method"] as string | undefined,
        params: message["params"] as Record<string, unknown> | undefined,
        message,
      };
      asked.push(one);
      const to = stream;
      const say = (json: object) => void to.write(event(JSON.stringify(json)));
      if (!ways.post?.({ asked: one, response, stream: to, say })) answer(one, response, say);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    asked,
    requests,
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      }),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** The reply on the stream may overtake the 202; it does here. */
function answer(asked: Asked, response: ServerResponse, say: (message: object) => void): void {
  const reply = healthy(asked);
  if (reply !== "hang" && ("result" in reply || "error" in reply)) {
    say({ jsonrpc: "2.0", id: asked.message["id"], ...reply });
  }
  response.writeHead(202).end("Accepted");
}

/** The ways of a contract server, which knows nothing of MCP. */
export function behaving(behaviour: Behaviour): Ways {
  return {
    post({ asked, response, stream, say }) {
      if (behaviour !== "breaks") response.writeHead(202).end();
      switch (behaviour) {
        case "echo":
          say({ echo: asked.message });
          break;
        case "binary":
          for (const piece of BINARY_PIECES) stream.write(piece);
          break;
        case "breaks":
          stream.destroy();
          response.destroy();
          break;
        case "flood":
          flood(stream);
          break;
        case "silent":
          break;
      }
      return true;
    },
  };
}

function flood(stream: ServerResponse): void {
  const chunk = Buffer.alloc(65536, "x");
  const more = (): void => {
    while (!stream.destroyed && stream.write(chunk));
    stream.once("drain", more);
  };
  more();
}
