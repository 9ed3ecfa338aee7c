/**
 * A process of its own with one server for each kind named over IPC, so that what they hold is not
 * taken for ours. Answers with their ports; ends with the process that asked for it.
 */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { KindName } from "./kinds.ts";
import { hostileServer } from "./serve.ts";

const [kinds] = (await once(process, "message")) as [readonly KindName[]];
const ports = await Promise.all(
  kinds.map(async (kind) => {
    const server = hostileServer(kind).listen(0, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  }),
);
process.send!(ports);
process.on("disconnect", () => process.exit(0));
