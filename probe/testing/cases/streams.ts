/** Answers as streams of events, and the transport that was built on them. */
import type { ServerResponse } from "node:http";
import { expect } from "vitest";
import type { Ask, Case, Variant } from "./case.ts";
import { filled, healthy } from "./healthy.ts";
import type { Answer, Remote } from "./remote.ts";

const DEAD = { verdict: "dead", checks: { "L0.initialize": "failed" } } as const;
const ALIVE = { verdict: "alive" } as const;
const STREAM = { "content-type": "text/event-stream" };

/** Answers every request of ours with a stream; `text` is filled. */
function streams(
  text: string | ((ask: Ask) => Answer | undefined),
  headers: Record<string, string> = STREAM,
): Remote {
  return {
    wire: "http",
    answer(ask) {
      if (ask.http !== "POST" || ask.id === undefined || ask.method === undefined) return undefined;
      return typeof text === "string" ? { headers, body: text } : text(ask);
    },
  };
}

/** Cuts a text into pieces of three bytes, so through line ends and through characters. */
function cutUp(text: string, ask: Ask): Answer {
  const bytes = Buffer.from(filled(text, ask));
  const pieces = Array.from({ length: Math.ceil(bytes.length / 3) }, (_, index) =>
    bytes.subarray(index * 3, index * 3 + 3),
  );
  return { headers: STREAM, body: pieces };
}

export const streamCases: readonly Case[] = [
  {
    id: "H01",
    title: "All that a stream of events may look like",
    source: "https://github.com/modelcontextprotocol/php-sdk/pull/401",
    variants: {
      a: {
        what: "lines that end in CRLF",
        server: streams("event: message\r\ndata: <reply>\r\n\r\n"),
        expected: ALIVE,
      },
      b: {
        what: "lines that end in CR, and nothing behind them",
        server: streams("data: <reply>\r\r"),
        expected: ALIVE,
      },
      c: {
        what: "a byte order mark at the beginning",
        server: streams("\ufeffdata: <reply>\n\n"),
        expected: ALIVE,
      },
      d: {
        what: "segments that cut line ends, characters and JSON",
        server: streams((ask) => cutUp(": größer\r\nevent: message\r\ndata: <reply>\r\n\r\n", ask)),
        expected: ALIVE,
      },
      e: {
        what: "data on two lines without a space behind the colon",
        server: streams((ask) => {
          const [head, ...rest] = filled("<reply>", ask).split(",");
          return { headers: STREAM, body: `data:${head},\ndata:${rest.join(",")}\n\n` };
        }),
        expected: ALIVE,
      },
      f: {
        what: "a content type with a charset, its name in upper case",
        server: streams("data: <reply>\n\n", {
          "CONTENT-TYPE": "text/event-stream; charset=utf-8",
        }),
        expected: ALIVE,
      },
      g: {
        what: "an event without the blank line that ends it was never sent",
        server: streams("data: <reply>\n"),
        expected: DEAD,
      },
    },
  },
  {
    id: "H02",
    title: "Events before the reply",
    source: "https://github.com/koala73/worldmonitor/pull/4781",
    variants: {
      a: {
        what: "an empty event that primes the stream, a comment and a retry time",
        server: streams(
          "id: s1:0\nretry: 3000\ndata: \n\n:hb\n\nid: s1:1\nevent: message\ndata: <reply>\n\n",
        ),
        expected: ALIVE,
      },
      b: {
        what: "a log notification",
        server: streams(
          `data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}\n\ndata: <reply>\n\n`,
        ),
        expected: ALIVE,
      },
      c: {
        what: "a response to nobody's request fails the envelope",
        server: streams(`data: {"jsonrpc":"2.0","id":"zzz","result":{}}\n\ndata: <reply>\n\n`),
        expected: { verdict: "degraded", checks: { "L1.envelope": "failed" } },
      },
      d: { what: "a stream that is to be resumed", server: resumable(), expected: resumed() },
      e: {
        what: "an event of another name is no message",
        server: streams("event: ping\ndata: {}\n\ndata: <reply>\n\n"),
        expected: ALIVE,
      },
    },
  },
  {
    id: "H03",
    title: "A server that asks its client and waits for the answer",
    source: "https://github.com/ChromeDevTools/chrome-devtools-mcp/issues/2476",
    variants: {
      a: {
        what: "it lists nothing before it has heard of our roots, over stdio",
        server: asksForRoots(),
        expected: ALIVE,
      },
      b: {
        what: "it lists nothing before it has heard of our roots, over HTTP",
        server: asksInStream("roots/list"),
        expected: ALIVE,
      },
      d: {
        what: "it wants a model to answer, and is refused",
        server: asksInStream("sampling/createMessage"),
        expected: ALIVE,
      },
    },
  },
  {
    id: "H04",
    title: "202 to a request, and the reply elsewhere",
    source: "https://github.com/modelcontextprotocol/python-sdk/issues/1661",
    variants: {
      a: {
        what: "a list that comes on the GET stream never came",
        server: repliesElsewhere("tools/list"),
        expected: { verdict: "degraded", checks: { "L1.tools_list": "failed" } },
      },
      b: {
        what: "an opening that comes on the GET stream is none",
        server: repliesElsewhere("initialize"),
        expected: DEAD,
      },
      c: {
        what: "a reply in the body of the 202 itself counts",
        server: streams(() => ({ status: 202, headers: STREAM, body: "data: <reply>\n\n" })),
        expected: ALIVE,
      },
    },
  },
  {
    id: "H05",
    title: "Servers that speak only the HTTP+SSE transport of 2024-11-05",
    source: "https://github.com/microsoft/vscode/pull/249914",
    variants: {
      a: oldTransport("405 to the POST", { status: 405 }),
      b: oldTransport("400 to the POST", {
        status: 400,
        headers: { "content-type": "text/plain" },
        body: "missing sessionId",
      }),
      c: oldTransport("200 and the first event of that transport to the POST", {
        headers: STREAM,
        body: "event: endpoint\ndata: /messages?sessionId=abc\n\n",
      }),
      d: {
        what: "an endpoint on another origin is not posted to",
        server: oldServer({ status: 405 }, "https://other.fixture.test/messages"),
        expected: {
          ...DEAD,
          also: ({ asked }) => expect(asked.filter(({ host }) => host.startsWith("o"))).toEqual([]),
        },
      },
      e: {
        what: "503 to the POST is no hint at that transport",
        server: {
          wire: "http",
          answer: ({ http }) => ({ status: http === "POST" ? 503 : 405 }),
        },
        expected: {
          ...DEAD,
          also: ({ asked }) => expect(asked.filter(({ http }) => http === "GET")).toEqual([]),
        },
      },
    },
  },
];

/** Primes each stream, closes it, and replies to the GET that resumes it half a second later. */
function resumable(): Remote {
  const waiting = new Map<string, Ask>();
  return {
    wire: "http",
    answer(ask) {
      if (ask.http === "GET") {
        const first = waiting.get(ask.headers["last-event-id"] ?? "");
        if (!first) return { status: 405 };
        return { headers: STREAM, body: filled("data: <reply>\n\n", first) };
      }
      if (ask.method === undefined || ask.id === undefined) return undefined;
      const event = `s${waiting.size}:0`;
      waiting.set(event, ask);
      return { headers: STREAM, body: `id: ${event}\nretry: 500\ndata: \n\n` };
    },
  };
}

function resumed(): Variant["expected"] {
  return {
    ...ALIVE,
    also({ asked }) {
      const resumes = asked.filter(({ http }) => http === "GET");
      expect(resumes.length).toBeGreaterThanOrEqual(3);
      for (const { headers } of resumes) expect(headers["last-event-id"]).toMatch(/^s\d:0$/);
    },
  };
}

function asksForRoots(): Variant["server"] {
  let list: Ask | undefined;
  let answered = false;
  return {
    wire: "stdio",
    answer(ask, pipe) {
      if (ask.method === "notifications/initialized") {
        return { raw: `{"jsonrpc":"2.0","id":1,"method":"roots/list"}\n` };
      }
      if (ask.method === "tools/list") {
        list = ask;
        return "nothing";
      }
      // The answer to the question, which comes before or after the list was asked for.
      if (ask.method === undefined && ask.id === 1) answered = true;
      if (answered && list) {
        pipe.out(`${filled("<reply>", list)}\n`);
        list = undefined;
        return "nothing";
      }
      return undefined;
    },
  };
}

/** Asks in the stream of tools/list, and goes on there when the answer was posted. */
function asksInStream(method: string): Remote {
  let goOn: (() => void) | undefined;
  return {
    wire: "http",
    answer(ask) {
      if (ask.method === "tools/list") {
        return (response) => {
          response.writeHead(200, STREAM);
          response.write(`data: {"jsonrpc":"2.0","id":1,"method":"${method}","params":{}}\n\n`);
          goOn = () => response.end(filled("data: <reply>\n\n", ask));
        };
      }
      if (ask.method !== undefined || ask.id !== 1) return undefined;
      expect(ask.message).toHaveProperty("error.code", -32601);
      goOn?.();
      return { status: 202 };
    },
  };
}

function repliesElsewhere(method: string): Remote {
  let stream: ServerResponse | undefined;
  return {
    wire: "http",
    answer(ask) {
      if (ask.http === "GET") {
        return (response) => {
          stream = response;
          response.writeHead(200, STREAM);
          response.flushHeaders();
        };
      }
      if (ask.method !== method) return undefined;
      stream?.write(filled("data: <reply>\n\n", ask));
      return { status: 202 };
    },
  };
}

function oldTransport(how: string, post: Answer): Variant {
  return {
    what: `${how} leads to it`,
    server: oldServer(post),
    expected: { ...ALIVE, facts: { transport: "sse" } },
  };
}

function oldServer(post: Answer, endpoint = "/messages?sessionId=abc"): Remote {
  let stream: ServerResponse | undefined;
  return {
    wire: "http",
    path: "/sse",
    answer(ask) {
      if (ask.path === "/sse" && ask.http === "POST") return post;
      if (ask.path === "/sse" && ask.http === "GET") {
        return (response) => {
          stream = response;
          response.writeHead(200, STREAM);
          response.write(`event: endpoint\ndata: ${endpoint}\n\n`);
        };
      }
      if (ask.http !== "POST") return undefined;
      if (healthy(ask)) stream?.write(filled("event: message\ndata: <reply>\n\n", ask));
      return { status: 202 };
    },
  };
}
