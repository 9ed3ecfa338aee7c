import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Clock, systemClock } from "../clock.ts";
import { PROBE } from "../identity.ts";
import { limit } from "../rules.ts";
import { remoteTarget } from "../testing/transcripts.ts";
import { Recorder } from "../transcript/recorder.ts";
import { isLoopback } from "../views/network.ts";
import { documentFetch, mayFetch } from "./document.ts";

async function serve(answer: RequestListener): Promise<URL> {
  const server = createServer(answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/document?x=1`);
}

const LOOPBACK = "http://127.0.0.1:9/mcp";

/** Fetches one document; whether its host was there, and what is on record. */
async function fetched(url: URL, target = LOOPBACK, clock: Clock = systemClock) {
  const recorder = new Recorder(
    {
      probe: PROBE,
      listing: null,
      target: remoteTarget(target),
      kind: "full",
      era: "auto",
      attempt: 1,
    },
    clock,
  );
  const there = await documentFetch(isLoopback(target), recorder, clock, { allowLoopback: true })(
    url,
  );
  return { there, events: recorder.events, types: recorder.events.map(({ type }) => type) };
}

test("a document is asked for without a body, and on record as it came", async () => {
  let asked: unknown;
  const url = await serve((request, response) => {
    asked = [request.method, request.url, request.headers["authorization"]];
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  const { there, types, events } = await fetched(url);
  expect(there).toBe(true);
  expect(asked).toEqual(["GET", "/document?x=1", undefined]);
  expect(types).toEqual(["sent", "resolved", "connected", "responded", "received", "ended"]);
  expect(events[0]).toMatchObject({ purpose: "auth-metadata", http: { method: "GET" } });
});

describe("nothing that a host does is an exception", () => {
  test("a connection that breaks", async () => {
    const { there, types } = await fetched(await serve((request) => request.socket.destroy()));
    expect(there).toBe(true);
    expect(types.at(-1)).toBe("broke");
  });

  test("a body that breaks off", async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("{", () => response.destroy());
    });
    expect((await fetched(url)).types.at(-1)).toBe("broke");
  });

  test("a host that is not there", async () => {
    const { there, types } = await fetched(new URL("http://127.0.0.1:1/"));
    expect(there).toBe(false);
    expect(types.at(-1)).toBe("broke");
  });

  test("a body without end is cut", async () => {
    const url = await serve((_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write("x".repeat(65536)));
        response.once("drain", more);
      };
      more();
    });
    const { events } = await fetched(url);
    expect(events.at(-1)).toMatchObject({ type: "capped", limit: limit("auth-metadata-bytes") });
  });

  test("silence ends at the deadline", async () => {
    let expire: (() => void) | undefined;
    const clock: Clock = {
      now: systemClock.now,
      after(ms, act) {
        if (ms === limit("auth-metadata")) expire = act;
        return systemClock.after(ms, act);
      },
    };
    const url = await serve(() => expire?.());
    const { there, events } = await fetched(url, LOOPBACK, clock);
    expect(there).toBe(true);
    expect(events.at(-1)).toMatchObject({ type: "timed-out", after: limit("auth-metadata") });
  });
});

test("a target elsewhere cannot send us to our own machine", async () => {
  let asked = 0;
  const url = await serve((_, response) => {
    asked += 1;
    response.end();
  });
  const { there, events } = await fetched(url, "https://mcp.example/mcp");
  expect(there).toBe(false);
  expect(asked).toBe(0);
  expect(events[1]).toMatchObject({ type: "resolved", addresses: [{ allowed: false }] });
});

test.each([
  ["https://login.example/x", true],
  ["http://127.0.0.1:3000/x", true],
  ["http://login.example/x", false],
  ["https://user@login.example/x", false],
  ["https://:secret@login.example/x", false],
  ["ftp://login.example/x", false],
  ["file:///etc/passwd", false],
  ["data:application/json,{}", false],
])("whether %s may be fetched: %s", (url, expected) => {
  expect(mayFetch(new URL(url))).toBe(expected);
});
