/** Conversations over HTTP+SSE with servers that are healthy, in many shapes. */
import { describe, expect, onTestFinished, test } from "vitest";
import { checks } from "../checks/index.ts";
import { evaluate } from "../evaluate.ts";
import { facts } from "../facts/index.ts";
import { record } from "../record.ts";
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
import type { Transcript } from "../transcript/schema.ts";
import { eventsOf } from "../views/view.ts";

async function talkTo(ways: Ways) {
  const server = await serveSse(ways);
  onTestFinished(() => server.stop());
  const target = { ...remoteTarget(server.url), transport: "sse" as const };
  return { server, transcript: await record(target, { allowLoopback: true }) };
}

const judged = (transcript: Transcript) => evaluate(transcript, { checks, facts });

const complaints = (transcript: Transcript) =>
  judged(transcript)
    .checks.filter(({ outcome }) => outcome !== "passed" && outcome !== "inapplicable")
    .map(({ check, reason }) => [check, reason]);

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
    ["with a whole URL", { begins: (host) => endpointEvent(`http://${host}${ENDPOINT}`) }],
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

test("a login or a fragment in the endpoint is neither sent nor written down", async () => {
  const { transcript, server } = await talkTo({
    begins: (host) => endpointEvent(`http://a:b@${host}${ENDPOINT}#top`),
  });
  expect(complaints(transcript)).toEqual([]);
  const logins = server.asked.map(({ headers }) => headers.authorization);
  expect(new Set(logins)).toEqual(new Set([undefined]));
  const urls = eventsOf(transcript.events, "sent").map(({ http }) => http!.url);
  expect(new Set(urls)).toEqual(new Set([server.url, new URL(ENDPOINT, server.url).href]));
});
