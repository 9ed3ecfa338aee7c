/** Servers that want credentials, money or somebody else first. */
import { expect } from "vitest";
import type { Case, Expected } from "./case.ts";
import type { Answer, Remote } from "./remote.ts";

const JSON_TYPE = { "content-type": "application/json" };
const DEAD = { verdict: "dead", checks: { "L0.initialize": "failed" } } as const;

/** What 1.1.0 says of an obstacle at the opening. */
const stoppedBy = (reason: string, more: Partial<Expected> = {}): Expected => ({
  verdict: "unverifiable",
  reason,
  checks: { "L0.initialize": "untested" },
  ...more,
});
const LOGIN = stoppedBy("auth-required", { attempts: 1 });
/** Seen as a login, or a refusal, by 1.1.0 alone; 1.0.0 wants three attempts. */
const byWords = (reason: string, more: Partial<Expected> = {}) =>
  stoppedBy(reason, { formerly: "dead", attempts: 3, ...more });

const onPost = (answer: Answer): Remote => ({
  wire: "http",
  answer: ({ http }) => (http === "POST" ? answer : undefined),
});

export const gateCases: readonly Case[] = [
  {
    id: "H08",
    title: "401 with a challenge, without one, and with an odd one",
    source: "https://github.com/czlonkowski/n8n-mcp/issues/604",
    variants: {
      a: {
        what: "a challenge that names metadata which can be read",
        server: {
          wire: "http",
          answer({ http, path }, { origin }) {
            const metadata = `${origin}/.well-known/oauth-protected-resource`;
            if (http === "POST") {
              const challenge = `Bearer resource_metadata="${metadata}"`;
              return { status: 401, headers: { "www-authenticate": challenge } };
            }
            if (path === "/.well-known/oauth-protected-resource") {
              return {
                headers: JSON_TYPE,
                body: JSON.stringify({
                  resource: `${origin}/mcp`,
                  authorization_servers: [origin],
                }),
              };
            }
            if (path === "/.well-known/oauth-authorization-server") {
              return {
                headers: JSON_TYPE,
                body: JSON.stringify({
                  issuer: origin,
                  authorization_endpoint: `${origin}/authorize`,
                  token_endpoint: `${origin}/token`,
                  response_types_supported: ["code"],
                  code_challenge_methods_supported: ["S256"],
                }),
              };
            }
            return { status: 404 };
          },
        },
        expected: { ...LOGIN, facts: { auth: { model: "oauth" } } },
      },
      b: {
        what: "no challenge",
        server: onPost({
          status: 401,
          headers: { "content-type": "text/plain" },
          body: "Unauthorized",
        }),
        expected: { ...LOGIN, facts: { auth: { model: "unadvertised" } } },
      },
      c: {
        what: "a challenge of Kerberos",
        server: onPost({ status: 401, headers: { "www-authenticate": "Negotiate" } }),
        expected: { ...LOGIN, facts: { auth: { model: "other" } } },
      },
      d: {
        what: "a JSON-RPC error whose id is inside the error",
        server: onPost({
          status: 401,
          headers: JSON_TYPE,
          body: `{"jsonrpc":"2.0","error":{"code":10,"message":"Unauthorized","id":null}}`,
        }),
        expected: { ...LOGIN, facts: { auth: { model: "unadvertised" } } },
      },
      e: {
        what: "nothing is tried again behind it",
        server: onPost({ status: 401 }),
        expected: LOGIN,
      },
    },
  },
  {
    id: "H09",
    title: "Credentials wanted, but not by 401",
    source: "https://github.com/spring-ai-community/mcp-security/issues/46",
    variants: {
      a: {
        what: "403 that asks for an API key",
        server: onPost({ status: 403, headers: JSON_TYPE, body: `{"error":"API key required"}` }),
        expected: byWords("auth-required"),
      },
      b: {
        what: "403 without a word is a refusal",
        server: onPost({ status: 403 }),
        expected: byWords("refused"),
      },
      c: {
        what: "200 and an error that misses an access key",
        server: onPost({
          headers: JSON_TYPE,
          body: `{"jsonrpc":"2.0","id":<id>,"error":{"code":-32001,"message":"Unauthorized: missing access key"}}`,
        }),
        expected: byWords("auth-required"),
      },
      d: {
        what: "the same code without such words proves nothing",
        server: onPost({
          headers: JSON_TYPE,
          body: `{"jsonrpc":"2.0","id":<id>,"error":{"code":-32001,"message":"Session not found"}}`,
        }),
        expected: DEAD,
      },
      e: {
        what: "400 that misses a key in the query",
        server: onPost({
          status: 400,
          headers: JSON_TYPE,
          body: `{"message":"Missing query parameter api_key"}`,
        }),
        expected: byWords("auth-required", { facts: { credentials_in_url: ["api_key"] } }),
      },
    },
  },
  {
    id: "H10",
    title: "An open handshake, and credentials wanted later",
    source: "https://github.com/vuetifyjs/mcp/pull/40",
    variants: {
      a: {
        what: "all behind the handshake is closed",
        server: {
          wire: "http",
          answer: ({ method }) =>
            method === "initialize" || method === "notifications/initialized"
              ? undefined
              : { status: 401, headers: { "www-authenticate": "Bearer" } },
        },
        expected: {
          verdict: "unverifiable",
          reason: "auth-required",
          checks: {
            "L1.tools_list": "untested",
            "L1.tool_schemas": "untested",
            "L1.unknown_method": "untested",
          },
        },
      },
      c: {
        what: "the handshake is closed and the list would be open: we do not get around it",
        server: {
          wire: "http",
          answer: ({ method }) => (method === "initialize" ? { status: 401 } : undefined),
        },
        expected: {
          ...LOGIN,
          also: ({ asked }) =>
            expect(asked.filter(({ method }) => method === "tools/list")).toEqual([]),
        },
      },
    },
  },
  {
    id: "H10+",
    title: "Credentials wanted in the middle",
    source: "https://github.com/vuetifyjs/mcp/pull/40",
    variants: {
      a: {
        what: "for the notification alone is no obstacle",
        server: {
          wire: "http",
          answer: ({ method }) =>
            method === "notifications/initialized"
              ? { status: 401, headers: { "www-authenticate": "Bearer" } }
              : undefined,
        },
        expected: { verdict: "alive", facts: { auth: { model: "bearer", where: "initialized" } } },
      },
      b: {
        what: "for the list, in words",
        server: {
          wire: "http",
          answer: ({ method }) =>
            method === "tools/list"
              ? { error: { code: -32001, message: "Unauthorized" } }
              : undefined,
        },
        expected: {
          verdict: "unverifiable",
          reason: "auth-required",
          checks: {
            "L1.tools_list": "untested",
            "L1.tool_schemas": "untested",
            "L1.unknown_method": "untested",
          },
        },
      },
    },
  },
  {
    id: "H11",
    title: "A page that tests for robots, in place of the server",
    source: "https://github.com/punkpeye/awesome-remote-mcp-servers/pull/407",
    variants: {
      a: {
        what: "a header says that it was a challenge",
        server: onPost({
          status: 403,
          headers: {
            server: "cloudflare",
            "cf-mitigated": "challenge",
            "content-type": "text/html",
          },
          body: "<!doctype html><title>Just a moment...</title>",
        }),
        expected: byWords("refused"),
      },
      b: {
        what: "a plain 403 is a refusal too",
        server: onPost({
          status: 403,
          headers: { ...JSON_TYPE, server: "cloudflare" },
          body: `{"error":"forbidden"}`,
        }),
        expected: byWords("refused"),
      },
      c: {
        what: "503 is an outage although its page holds the script of a challenge",
        server: onPost({
          status: 503,
          headers: { "content-type": "text/html", server: "cloudflare" },
          body: `<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>`,
        }),
        expected: DEAD,
      },
    },
  },
  {
    id: "H12",
    title: "402",
    source: "https://github.com/nevermined-io/payments-py/issues/203",
    variants: {
      a: {
        what: "to the opening",
        server: onPost({
          status: 402,
          headers: JSON_TYPE,
          body: `{"x402Version":1,"accepts":[{"scheme":"exact","network":"base"}]}`,
        }),
        expected: byWords("payment-required"),
      },
    },
  },
];
