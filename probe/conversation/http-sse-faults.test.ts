/** Conversations over HTTP+SSE with servers that misbehave: which check each fault is charged to. */
import type { ServerResponse } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { checks } from "../checks/index.ts";
import { type Clock, systemClock } from "../clock.ts";
import { evaluate } from "../evaluate.ts";
import { record, type RecordOptions } from "../record.ts";
import { limit } from "../rules.ts";
import {
  at,
  ENDPOINT,
  endpointEvent,
  type Post,
  reply,
  serveSse,
  type Ways,
} from "../testing/servers/sse.ts";
import { INITIALIZE, remoteTarget, TOOLS } from "../testing/transcripts.ts";
import type { Event, Transcript } from "../transcript/schema.ts";

/** A clock on which the deadlines of an opening pass when a test says so, and not before. */
function deadlines(): { clock: Clock; pass(): void } {
  const pending = new Set<() => void>();
  const after: Clock["after"] = (ms, act) => {
    if (ms !== limit("opening")) return systemClock.after(ms, act);
    pending.add(act);
    return () => void pending.delete(act);
  };
  // What is being written down right now may still set a deadline.
  const pass = () => void setImmediate(() => pending.forEach((act) => act()));
  return { clock: { now: systemClock.now, after }, pass };
}

async function talkTo(ways: Ways, options: RecordOptions = {}) {
  const server = await serveSse(ways);
  onTestFinished(() => server.stop());
  const target = { ...remoteTarget(server.url), transport: "sse" as const };
  return { server, transcript: await record(target, { allowLoopback: true, ...options }) };
}

const judged = (transcript: Transcript) => evaluate(transcript, { checks, facts: [] });

const complaints = (transcript: Transcript) =>
  judged(transcript)
    .checks.filter(({ outcome }) => outcome !== "passed" && outcome !== "inapplicable")
    .map(({ check, reason }) => [check, reason]);

const status =
  (code: number, body = "") =>
  (to: ServerResponse | Post): void =>
    void ("response" in to ? to.response : to).writeHead(code).end(body);

describe("what goes wrong is charged to the check that waited for it", () => {
  test.each<[string, Ways, first: [string, string], all?: number]>([
    ["a GET that asks for a login", { get: status(401) }, ["L0.initialize", "auth-required"]],
    ["a GET that is refused", { get: status(403) }, ["L0.initialize", "refused"]],
    ["a GET that fails", { get: status(500) }, ["L0.initialize", "http-status"]],
    ["a GET that nothing is found at", { get: status(404) }, ["L0.initialize", "http-status"]],
    ["a GET that brings a page", { get: status(200, "<p>") }, ["L0.initialize", "no-event-stream"]],
    [
      "a GET that is cut off",
      { get: (response) => response.destroy() },
      ["L0.initialize", "closed-without-response"],
    ],
    [
      "a stream that ends without an endpoint",
      { get: stream(": hi\n\n", true) },
      ["L0.initialize", "no-endpoint"],
    ],
    [
      "a stream whose endpoint lacks its blank line",
      { get: stream(`event: endpoint\ndata: ${ENDPOINT}\n`, true) },
      ["L0.initialize", "no-endpoint"],
    ],
    [
      "an endpoint of another origin",
      { begins: [endpointEvent("https://other.example/message")] },
      ["L0.initialize", "endpoint-cross-origin"],
    ],
    [
      "an endpoint of another port",
      { begins: [endpointEvent("http://127.0.0.1:9/message"), endpointEvent()] },
      ["L0.initialize", "endpoint-cross-origin"],
    ],
    [
      "a POST that asks for a login",
      { post: at("initialize", status(401)) },
      ["L0.initialize", "auth-required"],
    ],
    [
      "a POST that is turned down",
      { post: at("initialize", status(404)) },
      ["L0.initialize", "http-status"],
    ],
    [
      "a POST that is cut off",
      { post: at("initialize", ({ response }) => response.destroy()) },
      ["L0.initialize", "closed-without-response"],
    ],
    [
      "a stream that ends before the answer",
      { post: at("initialize", ({ stream: to, response }) => (to.end(), response.end())) },
      ["L0.initialize", "closed-without-response"],
    ],
    [
      "a stream that is cut off before the answer",
      { post: at("initialize", ({ stream: to }) => to.destroy()) },
      ["L0.initialize", "closed-without-response"],
    ],
    [
      "a refusal of the version alone",
      {
        post: at("initialize", (post) =>
          post.say({ ...reply(post, 0), result: undefined, error: { code: -32000, message: "x" } }),
        ),
      },
      ["L0.initialize", "rpc-error"],
    ],
    [
      "an answer with another id",
      { post: at("initialize", (post) => post.say({ ...reply(post, INITIALIZE), id: "1" })) },
      ["L1.envelope", "id-mismatch"],
      1,
    ],
    [
      "an answer that comes twice",
      {
        post: at("initialize", (post) => {
          post.say(reply(post, INITIALIZE));
          post.say(reply(post, INITIALIZE));
        }),
      },
      ["L1.envelope", "second-response"],
      1,
    ],
    [
      "an event that is no JSON",
      {
        post: at("tools/list", (post) => {
          post.stream.write("data: oops\n\n");
          post.say(reply(post, TOOLS));
        }),
      },
      ["L1.envelope", "sse-not-json"],
      1,
    ],
    [
      "an unknown method that HTTP turns down without a message",
      { post: at("probe/unknown-method", status(404)) },
      ["L1.unknown_method", "http-status"],
      1,
    ],
  ])("%s", async (_, ways, first, all) => {
    const { transcript } = await talkTo(ways);
    const found = complaints(transcript);
    expect(found[0]).toEqual(first);
    if (all !== undefined) expect(found).toHaveLength(all);
  });

  test.each<[string, Ways, over: (event: Event) => boolean, string]>([
    [
      "an endpoint that never comes",
      { begins: [": hi\n\n"] },
      ({ type }) => type === "received",
      "announced no endpoint on its event stream within 10 s",
    ],
    [
      "a GET that is never answered",
      { get: () => {} },
      ({ type }) => type === "sent",
      "did not answer within 10 s",
    ],
    [
      "a POST that is never answered",
      { post: at("initialize", () => {}) },
      (event) => event.type === "sent" && event.purpose === "opening",
      "did not answer within 10 s",
    ],
    [
      "a POST that is accepted and never answered",
      { post: at("initialize", status(202)) },
      ({ type }) => type === "ended",
      "did not answer within 10 s",
    ],
    [
      "an answer in the response to the POST alone",
      {
        post: at("initialize", (post) => {
          post.response.writeHead(200, { "content-type": "application/json" });
          post.response.end(JSON.stringify(reply(post, INITIALIZE)));
        }),
      },
      ({ type }) => type === "ended",
      "not on the event stream",
    ],
  ])("%s, when the time is over", async (_, ways, over, words) => {
    const { clock, pass } = deadlines();
    let passed = false;
    const onEvent = (event: Event) => {
      if (passed || !over(event)) return;
      passed = true;
      pass();
    };
    const { transcript } = await talkTo(ways, { clock, onEvent });
    const opened = judged(transcript).checks.find(({ check }) => check === "L0.initialize");
    expect(opened).toMatchObject({ outcome: "failed" });
    expect(opened!.because).toContain(words);
  });

  test("a stream that ends in the middle costs what was still to be asked, and nothing before", async () => {
    const { transcript, server } = await talkTo({
      post: at("tools/list", ({ stream: to }) => to.end()),
    });
    expect(complaints(transcript)).toEqual([
      ["L1.tools_list", "closed-without-response"],
      ["L1.unknown_method", "not-reached"],
      ["L1.tool_schemas", expect.any(String)],
    ]);
    expect(server.asked.at(-1)!.method).toBe("tools/list");
  });

  test("an error in the body of a POST that was turned down is that request's answer", async () => {
    const { transcript } = await talkTo({
      post: at("probe/unknown-method", (post) => {
        const error = { code: -32601, message: "Method not found" };
        post.response.writeHead(404, { "content-type": "application/json" });
        post.response.end(JSON.stringify({ jsonrpc: "2.0", id: post.asked.message["id"], error }));
      }),
    });
    expect(complaints(transcript)).toEqual([]);
  });
});

/** A stream that says this and nothing else. */
function stream(text: string, ends: boolean) {
  return (response: ServerResponse): void => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(text);
    if (ends) response.end();
  };
}

test("nothing is sent to an endpoint of another origin", async () => {
  const other = await serveSse();
  onTestFinished(() => other.stop());
  const { server } = await talkTo({
    begins: [endpointEvent(new URL(ENDPOINT, other.url).href)],
  });
  expect([server.requests, other.requests]).toEqual([["GET /sse"], []]);
});

test("a GET whose time runs out between two hops is not waited for any longer", async () => {
  const deadlinesOf = new Set<() => void>();
  const after: Clock["after"] = (ms, act) => {
    if (ms !== limit("endpoint")) return systemClock.after(ms, act);
    deadlinesOf.add(act);
    return () => void deadlinesOf.delete(act);
  };
  // The host of the redirect is never found, and the oldest deadline is that of the GET.
  const resolve = () => {
    setImmediate(() => [...deadlinesOf][0]?.());
    return new Promise<never>(() => {});
  };
  const get = (response: ServerResponse) =>
    void response.writeHead(307, { location: "http://elsewhere.fixture.test/sse" }).end();
  const clock = { now: systemClock.now, after };
  const { transcript } = await talkTo({ get }, { clock, resolve, transport: "sse" });
  expect(transcript.events.map(({ type }) => type)).toContain("timed-out");
  expect(complaints(transcript)[0]).toEqual(["L0.initialize", "http-status"]);
});
