/** Servers that want our memory, our time, or both. Each is one way to answer a request over HTTP. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { INITIALIZE, METHOD_NOT_FOUND } from "../transcripts.ts";

interface Asked {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: { readonly cursor?: string };
}

type Answer = (response: ServerResponse, asked: Asked, request: IncomingMessage) => void;

const KIB = 1024;
const MIB = 1024 * KIB;
const PIECE = 64 * KIB;

const JSON_TYPE = { "content-type": "application/json" };
const EVENTS = { "content-type": "text/event-stream" };

/** So many copies of a text as fill a piece. */
const filled = (text: string) => Buffer.from(text.repeat(Math.ceil(PIECE / text.length)));

/** Writes a piece for ever, as fast as it is taken, or until so many bytes were written. */
function flood(response: ServerResponse, piece: Buffer, most = Infinity, end?: string): void {
  let left = most;
  const more = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= piece.length;
      if (!response.write(piece)) return void response.once("drain", more);
    }
    if (!response.destroyed) response.end(end);
  };
  more();
}

const begun = (response: ServerResponse, headers: Record<string, string>, start: string) => {
  response.writeHead(200, headers);
  response.write(start);
};

/** A flood that begins like a message and goes on like one. */
const endless = (headers: Record<string, string>, start: string, text: string): Answer => {
  const piece = filled(text);
  return (response) => {
    begun(response, headers, start);
    flood(response, piece);
  };
};

/** As large as one message may be, and whole. */
const whole = (start: string, text: string, end: string): Answer => {
  const piece = filled(text);
  return (response) => {
    begun(response, JSON_TYPE, start);
    flood(response, piece, 15 * MIB, end);
  };
};

const reply = (id: unknown, result: object) => JSON.stringify({ jsonrpc: "2.0", id, result });

/** Opens as it should; the answer to `tools/list` is the rest. */
const opened =
  (list: Answer): Answer =>
  (response, asked, request) => {
    const { id, method } = asked;
    if (id === undefined) return void response.writeHead(202).end();
    if (method === "tools/list") return list(response, asked, request);
    response.writeHead(200, JSON_TYPE);
    if (method === "initialize") return void response.end(reply(id, INITIALIZE));
    response.end(JSON.stringify({ jsonrpc: "2.0", id, error: METHOD_NOT_FOUND }));
  };

/** Another page, and another. */
const pages = (tools: (page: number) => readonly object[]): Answer =>
  opened((response, { id, params }) => {
    const page = Number(params?.cursor ?? "0");
    response.writeHead(200, JSON_TYPE);
    response.end(reply(id, { tools: tools(page), nextCursor: String(page + 1) }));
  });

const tool = (name: string, more: object = {}) => ({
  name,
  inputSchema: { type: "object" },
  ...more,
});

const LONG_TEXT = "x".repeat(MIB / 2);

let bomb: Buffer | undefined;
const gzipBomb = () => (bomb ??= gzipSync(Buffer.alloc(256 * MIB, "x"), { level: 1 }));

const headers = (count: number, length: number) =>
  Array.from({ length: count }, (_, i) => `X-${i}: ${"h".repeat(length)}\r\n`).join("");

/** By name, in words that follow "a server with". */
export const KINDS = {
  "an endless string": endless(JSON_TYPE, '{"jsonrpc":"2.0","id":1,"result":"', "a"),
  "an endless array of objects": endless(JSON_TYPE, "[", "{},"),
  "an array of objects that ends": whole("[", "{},", "{}]"),
  "an endless batch of replies": endless(
    JSON_TYPE,
    "[",
    '{"jsonrpc":"2.0","id":7,"result":{"a":[]}},',
  ),
  "endless nesting": whole("[", "[", ""),
  "deep nesting that ends": (response, { id }) => {
    const depth = 400_000;
    const deep = "[".repeat(depth) + "]".repeat(depth);
    response.writeHead(200, JSON_TYPE).end(`{"jsonrpc":"2.0","id":${id},"result":{"a":${deep}}}`);
  },
  "an endless line of events": endless(EVENTS, "data: ", "b"),
  "endless short lines of one event": endless(EVENTS, "", "data:\n"),
  "replies to somebody else": endless(
    EVENTS,
    "",
    'data: {"jsonrpc":"2.0","id":99,"result":{}}\n\n',
  ),
  "large replies to somebody else": (response) => {
    begun(response, EVENTS, "");
    const text = "c".repeat(4 * MIB);
    flood(response, Buffer.from(`data: {"jsonrpc":"2.0","id":99,"result":{"a":"${text}"}}\n\n`));
  },
  "endless notifications": endless(
    EVENTS,
    "",
    'data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}\n\n',
  ),
  "endless pings": endless(EVENTS, "", 'data: {"jsonrpc":"2.0","id":"p","method":"ping"}\n\n'),
  "endless comments": endless(EVENTS, "", ": still here\n"),
  "endless comments between blank lines": endless(EVENTS, "", ": still here\n\n"),
  "endless blank lines": endless(EVENTS, "", "\n"),
  "a byte a second": (response) => {
    begun(response, JSON_TYPE, "{");
    const timer = setInterval(() => response.write(" "), 1000);
    response.once("close", () => clearInterval(timer));
  },
  "a gzip bomb": (response) => {
    response.writeHead(200, { ...JSON_TYPE, "content-encoding": "gzip" });
    response.end(gzipBomb());
  },
  "a head of one long line": ({ socket }) => {
    socket?.end(`HTTP/1.1 200 OK\r\nX-Long: ${"h".repeat(MIB)}\r\n\r\n`);
  },
  "a head of many lines": ({ socket }) => {
    socket?.end(`HTTP/1.1 200 OK\r\n${headers(10_000, 100)}\r\n`);
  },
  "endless pages": pages((page) => [tool(`tool-${page}`)]),
  "endless pages of half a megabyte": pages((page) => [
    tool(`tool-${page}`, { description: LONG_TEXT }),
  ]),
  "pages of many tools": pages((page) =>
    Array.from({ length: 3000 }, (_, at) => tool(`tool-${page}-${at}`)),
  ),
  "a list of a million nothings": opened((response, { id }) => {
    response.writeHead(200, JSON_TYPE);
    response.end(`{"jsonrpc":"2.0","id":${id},"result":{"tools":[{}${",{}".repeat(999_999)}]}}`);
  }),
} as const satisfies Readonly<Record<string, Answer>>;

export type KindName = keyof typeof KINDS;
