/** Statuses and bodies of HTTP that are not what they seem. */
import { gzipSync } from "node:zlib";
import { expect } from "vitest";
import type { Ask, Case } from "./case.ts";
import { filled, healthy } from "./healthy.ts";
import type { Answer, Remote } from "./remote.ts";

const DEAD = { verdict: "dead", checks: { "L0.initialize": "failed" } } as const;
const ALIVE = { verdict: "alive" } as const;
const JSON_TYPE = { "content-type": "application/json" };
const HTML = { "content-type": "text/html" };

const onGet = (answer: Answer): Remote => ({
  wire: "http",
  answer: ({ http }) => (http === "GET" ? answer : undefined),
});

const onPost = (answer: Answer): Remote => ({
  wire: "http",
  answer: ({ http }) => (http === "POST" ? answer : undefined),
});

/** Answers the opening of some attempts only. */
const onOpening = (answer: Answer, attempts = [1, 2, 3]): Remote => ({
  wire: "http",
  answer: ({ http, attempt }) =>
    http === "POST" && attempts.includes(attempt) ? answer : undefined,
});

/** Dresses what the healthy server would say to a request. */
const dressed = (dress: (text: string) => Answer): Remote => ({
  wire: "http",
  answer: (ask) => (isRequest(ask) ? dress(filled("<reply>", ask)) : undefined),
});

const isRequest = (ask: Ask): boolean => ask.http === "POST" && healthy(ask) !== undefined;

export const answerCases: readonly Case[] = [
  {
    id: "H06",
    title: "GET and HEAD say nothing about an MCP server",
    source: "https://github.com/affaan-m/ECC/issues/1979",
    variants: {
      a: { what: "406 to GET", server: onGet({ status: 406 }), expected: ALIVE },
      b: { what: "404 to GET", server: onGet({ status: 404 }), expected: ALIVE },
      c: {
        what: "400 and a JSON-RPC error to GET",
        server: onGet({
          status: 400,
          headers: JSON_TYPE,
          body: `{"jsonrpc":"2.0","error":{"code":-32000,"message":"no session"},"id":null}`,
        }),
        expected: ALIVE,
      },
      d: {
        what: "200 to GET and 404 to the opening is dead all the same",
        server: {
          wire: "http",
          answer: ({ http }) =>
            http === "GET"
              ? { headers: JSON_TYPE, body: `{"status":"ok"}` }
              : { status: 404, headers: HTML, body: "<h1>Not found</h1>" },
        },
        expected: DEAD,
      },
    },
  },
  {
    id: "H07",
    title: "429, 502 and 503",
    source: "https://github.com/giantswarm/muster/issues/1303",
    variants: {
      a: {
        what: "429 at first and an answer a minute later",
        server: onOpening({ status: 429, headers: { "retry-after": "30" } }, [1]),
        expected: { ...ALIVE, attempts: 2 },
      },
      b: {
        what: "429 on every attempt says that we come too often",
        server: onOpening({ status: 429, headers: { "retry-after": "3600" } }),
        expected: {
          verdict: "unverifiable",
          formerly: "dead",
          reason: "rate-limited",
          checks: { "L0.initialize": "untested" },
          attempts: 3,
        },
      },
      c: {
        what: "502 at first and an answer a minute later",
        server: onOpening({ status: 502, headers: HTML, body: "<h1>Bad gateway</h1>" }, [1]),
        expected: { ...ALIVE, attempts: 2 },
      },
      d: {
        what: "503 on every attempt is dead",
        server: onOpening({ status: 503, headers: HTML, body: "<h1>Unavailable</h1>" }),
        expected: DEAD,
      },
      e: {
        what: "429 to a list is waited for once",
        server: {
          wire: "http",
          answer: ({ method, time }) =>
            method === "tools/list" && time === 1
              ? { status: 429, headers: { "retry-after": "5" } }
              : undefined,
        },
        expected: ALIVE,
      },
    },
  },
  {
    id: "H17",
    title: "421 from a guard of the host name",
    source: "https://github.com/PrefectHQ/fastmcp/issues/4468",
    variants: {
      a: {
        what: "421 on every attempt is dead, whatever a health page says",
        server: {
          wire: "http",
          answer: ({ http }) =>
            http === "POST"
              ? { status: 421, headers: { "content-type": "text/plain" }, body: "Invalid Host" }
              : { body: "ok" },
        },
        expected: DEAD,
      },
      b: {
        what: "421 on one connection is asked again on another",
        server: {
          wire: "http",
          answer: ({ method, time }) =>
            method === "initialize" && time === 1 ? { status: 421 } : undefined,
        },
        expected: ALIVE,
      },
      c: {
        what: "403 to an Origin is never met, since none is sent",
        server: {
          wire: "http",
          answer: ({ headers }) => (headers["origin"] === undefined ? undefined : { status: 403 }),
        },
        expected: {
          ...ALIVE,
          also: ({ asked }) =>
            expect(asked.filter(({ headers }) => "origin" in headers)).toEqual([]),
        },
      },
    },
  },
  {
    id: "H18",
    title: "200 that is not MCP",
    source: "https://github.com/speakeasy-api/gram/pull/3998",
    variants: {
      a: {
        what: "a web page",
        server: onPost({ headers: HTML, body: "<!doctype html><title>App</title>" }),
        expected: DEAD,
      },
      b: {
        what: "another envelope",
        server: onPost({ headers: JSON_TYPE, body: `{"Output":null,"Version":"1"}` }),
        expected: DEAD,
      },
      c: {
        what: "nothing",
        server: onPost({ headers: { "content-length": "0" } }),
        expected: DEAD,
      },
      d: {
        what: "a web page to GET alone",
        server: onGet({ headers: HTML, body: "<!doctype html><title>App</title>" }),
        expected: ALIVE,
      },
      e: {
        what: "a result that is no object",
        server: onPost({ headers: JSON_TYPE, body: `{"jsonrpc":"2.0","id":<id>,"result":"ok"}` }),
        expected: DEAD,
      },
      f: {
        what: "a body that ends before its length",
        server: onPost((response, ask) => {
          const text = filled("<reply>", ask);
          response.writeHead(200, { ...JSON_TYPE, "content-length": String(text.length) });
          response.write(text.slice(0, -10), () => response.socket?.end());
        }),
        expected: DEAD,
      },
    },
  },
  {
    id: "H19",
    title: "Content types and encodings",
    source: "https://github.com/aklivity/zilla/pull/2214",
    variants: {
      a: {
        what: "no content type at all",
        server: dressed((body) => ({ body })),
        expected: { ...ALIVE, facts: { content_type: ["missing"] } },
      },
      b: {
        what: "a content type with a charset and no space",
        server: dressed((body) => ({
          headers: { "content-type": "application/json;charset=UTF-8" },
          body,
        })),
        expected: ALIVE,
      },
      c: {
        what: "a stream of events under text/plain",
        server: dressed((text) => ({
          headers: { "content-type": "text/plain" },
          body: `data: ${text}\n\n`,
        })),
        expected: { ...ALIVE, facts: { content_type: ["text/plain"] } },
      },
      d: {
        what: "gzip although we asked for none",
        server: dressed((text) => ({
          headers: { ...JSON_TYPE, "content-encoding": "gzip" },
          body: gzipSync(text),
        })),
        expected: { ...ALIVE, facts: { content_encoding: ["gzip"] } },
      },
    },
  },
];
