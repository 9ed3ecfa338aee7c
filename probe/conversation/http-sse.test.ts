/** Conversations over HTTP+SSE: what is healthy in many shapes, and what each fault is called. */
import type { ServerResponse } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { checks } from "../checks/index.ts";
import { type Clock, systemClock } from "../clock.ts";
import { evaluate } from "../evaluate.ts";
import { facts } from "../facts/index.ts";
import { record, type RecordOptions } from "../record.ts";
import { ENDPOINT, endpointEvent, type Post, serveSse, type Ways } from "../testing/servers/sse.ts";
import { INITIALIZE, remoteTarget, TOOLS } from "../testing/transcripts.ts";
import type { Transcript } from "../transcript/schema.ts";

/** Deadlines pass twenty times as fast, and the record counts them as what they are. */
const HURRIED: Clock = {
  now: () => Math.round(systemClock.now() * 20),
  after: (ms, act) => systemClock.after(ms / 20, act),
};

const listedAs = (url: string, transport: "sse" | "streamable-http") => ({
  ...remoteTarget(url),
  transport,
});

async function talkTo(ways: Ways, options: RecordOptions = {}) {
  const server = await serveSse(ways);
  onTestFinished(() => server.stop());
  const target = listedAs(server.url, "sse");
  return { server, transcript: await record(target, { allowLoopback: true, ...options }) };
}

const judged = (transcript: Transcript) => evaluate(transcript, { checks, facts });

const complaints = (transcript: Transcript) =>
  judged(transcript)
    .checks.filter(({ outcome }) => outcome !== "passed" && outcome !== "inapplicable")
    .map(({ check, reason }) => [check, reason]);

/** Deals with one method alone. */
const at =
  (method: string, act: (post: Post) => void) =>
  (post: Post): boolean => {
    if (post.asked.method !== method) return false;
    act(post);
    return true;
  };

const reply = ({ asked }: Post, result: unknown) => ({
  jsonrpc: "2.0",
  id: asked.message["id"],
  result,
});
const bytes = (text: string) => [...Buffer.from(text)].map((byte) => Buffer.from([byte]));

describe("a healthy server passes every check", () => {
  test.each<[string, Ways]>([
    ["as it is", {}],
    ["with CRLF", { begins: [`event: endpoint\r\ndata: ${ENDPOINT}\r\n\r\n`], event: crlf }],
    ["with CR", { begins: [`event: endpoint\rdata: ${ENDPOINT}\r\r`], event: cr }],
    ["with a byte order mark", { begins: [`\uFEFF${endpointEvent()}`] }],
    ["byte by byte", { begins: bytes(endpointEvent()) }],
    [
      "with comments and other events first",
      { begins: [": hi\n\nevent: x\ndata: y\n\n", endpointEvent()] },
    ],
    [
      "with an endpoint event without data first",
      { begins: ["event: endpoint\ndata:\n\n", endpointEvent()] },
    ],
    ["with a path relative to the stream's", { begins: [endpointEvent("message?session=1")] }],
    ["that names the endpoint twice", { begins: [endpointEvent("/gone"), endpointEvent()] }],
    [
      "that names an endpoint of another origin later",
      { begins: [endpointEvent(), endpointEvent("https://other.example/x")] },
    ],
    ["without a useful content type", { contentType: "text/plain" }],
    ["that acknowledges with JSON", { post: acknowledgedBy(202, '{"ok":true}') }],
    ["that acknowledges with 200", { post: acknowledgedBy(200, '"Accepted"') }],
    ["that acknowledges with 204", { post: acknowledgedBy(204, "") }],
    ["that repeats a reply in the answer to the POST", { post: at("initialize", repeated) }],
    ["that never ends the answer to a POST", { post: at("initialize", unended) }],
    ["that pings between comments", { post: pinging() }],
  ])("%s", async (_, ways) => {
    const { transcript } = await talkTo(ways);
    expect(complaints(transcript)).toEqual([]);
    expect(judged(transcript).facts["transport"]).toBe("sse");
  });
});

function crlf(json: string): string {
  return `event: message\r\ndata: ${json}\r\n\r\n`;
}

function cr(json: string): string {
  return `data: ${json}\r\r: a final CR may be half of CRLF\r`;
}

function acknowledgedBy(status: number, body: string) {
  return (post: Post): boolean => {
    const { asked, response } = post;
    response.writeHead(status, { "content-type": "application/json" }).end(body);
    if (asked.method === "initialize") post.say(reply(post, INITIALIZE));
    else if (asked.method === "tools/list") post.say(reply(post, TOOLS));
    else if (asked.message["id"] !== undefined) {
      post.say({ ...reply(post, 0), result: undefined, error: { code: -32601, message: "no" } });
    }
    return true;
  };
}

function repeated(post: Post): void {
  post.say(reply(post, INITIALIZE));
  post.response.writeHead(202, { "content-type": "application/json" });
  post.response.end(JSON.stringify(reply(post, INITIALIZE)));
}

function unended(post: Post): void {
  post.response.writeHead(202).flushHeaders();
  post.say(reply(post, INITIALIZE));
}

/** Answers the list only when its ping was answered. */
function pinging() {
  let waiting: Post | undefined;
  return (post: Post): boolean => {
    const { asked, response, stream: to } = post;
    if (asked.method === "tools/list") {
      waiting = post;
      to.write(": keep-alive\n\n");
      post.say({ jsonrpc: "2.0", id: "s-1", method: "ping" });
    } else if (asked.message["id"] === "s-1") {
      waiting?.say(reply(waiting, TOOLS));
    } else {
      return false;
    }
    response.writeHead(202).end();
    return true;
  };
}

test("requests of the server are answered at the endpoint", async () => {
  const { server } = await talkTo({
    post: at("tools/list", (post) => {
      post.response.writeHead(202).end();
      post.say({ jsonrpc: "2.0", id: 1, method: "ping" });
      post.say({ jsonrpc: "2.0", id: 2, method: "roots/list" });
      post.say(reply(post, TOOLS));
    }),
  });
  const answers = server.asked.map(({ message }) => message).filter(({ method }) => !method);
  expect(answers).toMatchObject([
    { id: 1, result: {} },
    { id: 2, error: { code: -32601 } },
  ]);
  expect(new Set(server.requests)).toEqual(new Set(["GET /sse", `POST ${ENDPOINT}`]));
});

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

  test.each<[string, Ways, string]>([
    ["an endpoint that never comes", { begins: [": hi\n\n"] }, "announced no endpoint"],
    ["a GET that is never answered", { get: () => {} }, "did not answer within 10 s"],
    ["a POST that is never answered", { post: at("initialize", () => {}) }, "within 10 s"],
    [
      "an answer in the response to the POST alone",
      {
        post: at("initialize", (post) => {
          post.response.writeHead(200, { "content-type": "application/json" });
          post.response.end(JSON.stringify(reply(post, INITIALIZE)));
        }),
      },
      "not on the event stream",
    ],
  ])("%s, when the time is over", async (_, ways, words) => {
    const { transcript } = await talkTo(ways, { clock: HURRIED });
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
