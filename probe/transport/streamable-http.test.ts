import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../clock.ts";
import { record } from "../record.ts";
import { serveHttp } from "../testing/servers/http.ts";
import { remoteTarget } from "../testing/transcripts.ts";
import { eventsOf } from "../views/view.ts";
import type { ConnectOptions } from "./connect.ts";
import { testTransport } from "./contract.ts";
import { StreamableHttp } from "./streamable-http.ts";

testTransport("streamable HTTP", async (behaviour, recorder) => {
  const server = await serveHttp(behaviour === "absent" ? "silent" : behaviour);
  if (behaviour === "absent") await server.stop();
  else onTestFinished(() => server.stop());
  const options = { allowLoopback: true };
  return {
    transport: new StreamableHttp(server.url, recorder, systemClock, options),
    remains: server.connections,
  };
});

function recordUrl(url: string, options: ConnectOptions) {
  return record(remoteTarget(url), { kind: "liveness", ...options });
}

describe("a connection", () => {
  test("is not made to a private address that a name leads to", async () => {
    const resolve = async () => [
      { address: "10.0.0.5", family: 4 },
      { address: "::ffff:169.254.169.254", family: 6 },
    ];
    const transcript = await recordUrl("http://internal.example/mcp", { resolve });
    expect(transcript.events.map(({ type }) => type)).toEqual(["resolved"]);
    const [resolved] = eventsOf(transcript.events, "resolved");
    expect(resolved!.addresses.map(({ allowed }) => allowed)).toEqual([false, false]);
  });

  test("goes to the address that was checked, under the name that was asked for", async () => {
    const server = await serveHttp("echo");
    onTestFinished(() => server.stop());
    const url = server.url.replace("127.0.0.1", "named.example");
    const resolve = async () => [{ address: "127.0.0.1", family: 4 }];
    const transcript = await recordUrl(url, { resolve, allowLoopback: true });
    expect(eventsOf(transcript.events, "connected")[0]).toMatchObject({ address: "127.0.0.1" });
    expect(eventsOf(transcript.events, "responded")[0]).toMatchObject({ status: 200 });
  });

  test("tries the next address when the first refuses", async () => {
    const server = await serveHttp("echo");
    onTestFinished(() => server.stop());
    const url = server.url.replace("127.0.0.1", "named.example");
    const resolve = async () => [
      { address: "127.0.0.2", family: 4 },
      { address: "127.0.0.1", family: 4 },
    ];
    const transcript = await recordUrl(url, { resolve, allowLoopback: true });
    const faults = eventsOf(transcript.events, "connected").map(({ fault }) => fault?.code);
    expect(faults.slice(0, 2)).toEqual(["ECONNREFUSED", undefined]);
  });

  test("to a name that does not exist is on record as such", async () => {
    const resolve = () =>
      Promise.reject(Object.assign(new Error("not found"), { code: "ENOTFOUND" }));
    const transcript = await recordUrl("https://gone.example/mcp", { resolve });
    expect(transcript.events).toMatchObject([{ type: "resolved", fault: { code: "ENOTFOUND" } }]);
  });
});

test("values of headers outside the public list are recorded as a hash", async () => {
  const server = await serveHttp("echo");
  onTestFinished(() => server.stop());
  const transcript = await recordUrl(server.url, { allowLoopback: true });
  const headers = new Map(eventsOf(transcript.events, "responded")[0]!.headers);
  expect(headers.get("content-type")).toBe("application/json");
  expect(headers.get("Date")).toMatch(/^sha256:[0-9a-f]{8}$/);
});
