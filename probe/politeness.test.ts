import type { ServerResponse } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { mannersAt, paceFor } from "./politeness.ts";
import { record } from "./record.ts";
import { limit } from "./rules.ts";
import { ManualClock } from "./testing/manual-clock.ts";
import {
  type Arrived,
  answerHealthily,
  healthyAnswer,
  serveFreely,
} from "./testing/servers/http.ts";
import { serveMcp } from "./testing/servers/mcp.ts";
import { serveSse } from "./testing/servers/sse.ts";
import { remoteTarget, stdioTranscript } from "./testing/transcripts.ts";
import { eventsOf } from "./views/view.ts";

const GAP = limit("host-gap");

describe("two targets share their manners", () => {
  test.each<[string, string, string, boolean]>([
    ["on one host", "https://a.example/x", "https://a.example/y", true],
    ["on one host in another spelling", "https://A.example/x", "https://a.example./x", true],
    ["on two ports of one host", "https://a.example/x", "https://a.example:8443/x", true],
    ["not on two hosts", "https://a.example/x", "https://b.example/x", false],
    ["not on two ports of this machine", "http://127.0.0.1:1/x", "http://127.0.0.1:2/x", false],
    [
      "on one address that is none yet",
      "http://a.example:{port}/",
      "http://a.example:{port}/",
      true,
    ],
    ["not on two of them", "http://a.example:{port}/", "{address}/mcp", false],
    ["on one port of this machine", "http://127.0.0.1:1/x", "http://127.0.0.1:1/y", true],
  ])("%s", (_, one, other, shared) => {
    const mannersOf = mannersAt(new ManualClock());
    const [a, b] = [one, other].map((url) => mannersOf(remoteTarget(url)));
    expect(a === b).toBe(shared);
  });
});

describe("a gap between requests", () => {
  test("is kept also by two that ask at once, and by one that comes a little later", async () => {
    const clock = new ManualClock();
    const pace = paceFor(remoteTarget("https://a.example/x"), clock)!;
    const begun = clock.now();
    const left: number[] = [];
    const leave = () => pace().then(() => void left.push(clock.now() - begun));
    await leave();
    const both = [leave(), leave()];
    clock.advance(GAP);
    await both[0];
    clock.advance(GAP);
    await both[1];
    clock.advance(GAP * 10);
    await leave();
    expect(left).toEqual([0, GAP, 2 * GAP, 12 * GAP]);
  });

  test.each<[string, Parameters<typeof paceFor>[0]]>([
    ["a server on this machine", remoteTarget("http://localhost:4000/mcp")],
    ["a program", stdioTranscript().target],
  ])("is not kept for %s", (_, target) => {
    expect(paceFor(target, new ManualClock())).toBeUndefined();
  });

  /** Only the gaps pass; every other limit stands still. */
  class Gaps extends ManualClock {
    override after(ms: number, act: () => void): () => void {
      const cancel = super.after(ms, act);
      if (ms <= GAP && ms !== limit("linger")) setImmediate(() => this.advance(ms));
      return cancel;
    }
  }

  const resumed = (one: Arrived, response: ServerResponse): void => {
    const stream = { "content-type": "text/event-stream" };
    const first = { id: 1, method: "initialize" };
    if (one.method === "GET")
      response.writeHead(200, stream).end(`data: ${JSON.stringify(healthyAnswer(first))}\n\n`);
    else if (one.message["id"] !== 1) answerHealthily(one, response);
    else response.writeHead(200, stream).end("id: a\nretry: 0\ndata: \n\n");
  };

  test.each<[string, number, () => Promise<{ url: string; stop(): Promise<void> }>]>([
    ["a healthy server", 4, serveMcp],
    [
      "one that redirects each",
      8,
      () =>
        free((one, response) => {
          if (one.path !== "/mcp") return answerHealthily(one, response);
          return response.writeHead(307, { location: "/other" }).end();
        }),
    ],
    ["one whose answer is on a stream that is taken up again", 5, () => free(resumed)],
    ["one of HTTP+SSE", 6, () => serveSse({ path: "/mcp" })],
  ])("separates every two requests to %s", async (_, least, start) => {
    const server = await start();
    onTestFinished(() => server.stop());
    const url = server.url.replace("127.0.0.1", "mcp.example");
    const transcript = await record(remoteTarget(url), {
      clock: new Gaps(),
      allowLoopback: true,
      resolve: async () => [{ address: "127.0.0.1", family: 4 }],
    });
    const sent = eventsOf(transcript.events, "sent").map(({ at }) => at);
    expect(sent.length).toBeGreaterThanOrEqual(least);
    const gaps = sent.slice(1).map((at, index) => at - sent[index]!);
    expect(gaps.filter((gap) => gap < GAP)).toEqual([]);
  });

  test("is kept before the documents of a login too", async () => {
    const server = await free((_, response) => response.writeHead(401).end());
    onTestFinished(() => server.stop());
    let waits = 0;
    const pace = async () => void (waits += 1);
    const transcript = await record(remoteTarget(server.url), { allowLoopback: true, pace });
    const sent = eventsOf(transcript.events, "sent");
    expect(sent.filter(({ purpose }) => purpose === "auth-metadata").length).toBeGreaterThan(1);
    expect(waits).toBe(sent.length);
  });
});

async function free(answer: Parameters<typeof serveFreely>[0]) {
  const server = await serveFreely(answer);
  return { url: `${server.origin}/mcp`, stop: () => server.stop() };
}
