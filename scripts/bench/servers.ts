/** A process of its own that serves many healthy MCP servers: `node servers.ts COUNT`, then IPC. */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { INITIALIZE, METHOD_NOT_FOUND, TOOLS } from "../../probe/testing/transcripts.ts";

const RESULTS: Readonly<Record<string, unknown>> = {
  initialize: INITIALIZE,
  "tools/list": TOOLS,
};

const onRequest: RequestListener = (request, response) => {
  let body = "";
  request.on("data", (part: Buffer) => (body += part.toString()));
  request.on("end", () => {
    const { id, method } = JSON.parse(body) as { id?: unknown; method: string };
    if (id === undefined) return void response.writeHead(202).end();
    const result = RESULTS[method];
    const payload = result === undefined ? { error: METHOD_NOT_FOUND } : { result };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...payload }));
  });
};

const ports = await Promise.all(
  Array.from({ length: Number(process.argv[2]) }, async () => {
    const server = createServer(onRequest).listen(0, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  }),
);
process.send!(ports);
// Ends with the process that asked for it.
process.on("disconnect", () => process.exit(0));
