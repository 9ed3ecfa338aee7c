// Our own known-good server over stdio. Where it does not open, it is our sandbox that does not
// start programs. Plain JavaScript without imports of ours, so that it starts in any sandbox.
import { createInterface } from "node:readline";

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method !== "initialize") return;
  const result = {
    protocolVersion: params.protocolVersion,
    capabilities: {},
    serverInfo: { name: "probity-control", version: "1" },
  };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
});
