import { onTestFinished } from "vitest";
import { systemClock } from "../clock.ts";
import { behaving, serveSse } from "../testing/servers/sse.ts";
import { testTransport } from "./contract.ts";
import { HttpSse } from "./http-sse.ts";

testTransport("HTTP+SSE", async (behaviour, recorder) => {
  const server = await serveSse(behaviour === "absent" ? {} : behaving(behaviour));
  if (behaviour === "absent") await server.stop();
  else onTestFinished(() => server.stop());
  return {
    transport: new HttpSse(server.url, recorder, systemClock, { allowLoopback: true }),
    remains: server.connections,
    framed: (text) => `event: message\ndata: ${text}`,
  };
});
