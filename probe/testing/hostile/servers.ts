/**
 * A process of its own with one server for each kind named over IPC, so that what they hold is not
 * taken for ours. Answers with their ports; ends with the process that asked for it.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { KINDS, type KindName } from "./kinds.ts";

const [kinds] = (await once(process, "message")) as [readonly KindName[]];
const ports = await Promise.all(kinds.map(serve));
process.send!(ports);
process.on("disconnect", () => process.exit(0));

async function serve(kind: KindName): Promise<number> {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      if (request.method !== "POST") return void response.writeHead(405).end();
      KINDS[kind](response, JSON.parse(body) as object, request);
    });
    request.on("error", () => {});
    response.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
