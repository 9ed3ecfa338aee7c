/** A contract server over HTTP, on a loopback port of its own. */
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
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
