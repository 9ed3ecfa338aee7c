/** A server of one kind, not listening yet. */
import { createServer, type Server } from "node:http";
import { KINDS, type KindName } from "./kinds.ts";

export function hostileServer(kind: KindName): Server {
  return createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      if (request.method !== "POST") return void response.writeHead(405).end();
      KINDS[kind](response, JSON.parse(body) as object, request);
    });
    // Whoever floods is hung up on.
    request.on("error", () => {});
    response.on("error", () => {});
  });
}
