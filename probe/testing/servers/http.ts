/** A contract server over HTTP, on a loopback port of its own. */
import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { INITIALIZE, METHOD_NOT_FOUND, TOOLS } from "../transcripts.ts";
import { type Behaviour, BINARY_PIECES } from "./behaviour.ts";

export interface HttpServer {
  readonly url: string;
  /** Connections that are open right now. */
  connections(): Promise<number>;
  stop(): Promise<void>;
}

export async function serveHttp(behaviour: Behaviour): Promise<HttpServer> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => answer(behaviour, Buffer.concat(parts).toString(), response));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    connections: () => countOf(server),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function answer(behaviour: Behaviour, body: string, response: ServerResponse): void {
  switch (behaviour) {
    case "echo":
      response.setHeader("content-type", "application/json");
      response.end(`{"echo":${body}}`);
      break;
    case "binary":
      for (const piece of BINARY_PIECES) response.write(piece);
      response.end();
      break;
    case "breaks":
      response.destroy();
      break;
    case "flood":
      flood(response);
      break;
    case "silent":
      break;
  }
}

function flood(response: ServerResponse): void {
  const chunk = Buffer.alloc(65536, "x");
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
    response.once("drain", more);
  };
  more();
}

function countOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

/** A request as it arrived. */
export interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The parsed body; empty where it is none. */
  readonly message: Record<string, unknown>;
  /** Its connection, counted from 1. */
  readonly connection: number;
}

export interface FreeServer {
  /** Without a path. */
  readonly origin: string;
  readonly port: number;
  readonly arrived: readonly Arrived[];
  stop(): Promise<void>;
}

/** A server whose whole answer a test writes, also beneath HTTP: `response.socket` is at hand. */
export async function serveFreely(
  answer: (one: Arrived, response: ServerResponse, all: readonly Arrived[]) => void,
  host = "127.0.0.1",
): Promise<FreeServer> {
  const arrived: Arrived[] = [];
  const connections = new Map<unknown, number>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const body = Buffer.concat(parts).toString();
      const one = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        body,
        message: body === "" ? {} : (JSON.parse(body) as Record<string, unknown>),
        connection: connections.get(request.socket)!,
      };
      arrived.push(one);
      answer(one, response, arrived);
    });
  });
  server.on("connection", (socket) => connections.set(socket, connections.size + 1));
  server.listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    port,
    arrived,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** What a healthy small server of the legacy era answers to a message; undefined for a notification. */
export function healthyAnswer(message: Record<string, unknown>): object | undefined {
  const { id, method } = message;
  if (id === undefined || method === undefined) return undefined;
  if (method === "initialize") return { jsonrpc: "2.0", id, result: INITIALIZE };
  if (method === "tools/list") return { jsonrpc: "2.0", id, result: TOOLS };
  return { jsonrpc: "2.0", id, error: METHOD_NOT_FOUND };
}

/** Answers as a healthy server does. */
export function answerHealthily({ method, message }: Arrived, response: ServerResponse): void {
  const answer = healthyAnswer(message);
  if (method !== "POST") response.writeHead(405).end();
  else if (!answer) response.writeHead(202).end();
  else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
}
