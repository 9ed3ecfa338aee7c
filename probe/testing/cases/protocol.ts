/** Versions, eras, capabilities and methods. */
import { expect } from "vitest";
import { DISCOVER, INITIALIZE, TOOLS } from "../transcripts.ts";
import type { Ask, Case, Variant } from "./case.ts";
import type { Answer, Remote } from "./remote.ts";

const ALIVE = { verdict: "alive" } as const;
const REFUSAL = { verdict: "degraded", checks: { "L1.unknown_method": "failed" } } as const;
const JSON_TYPE = { "content-type": "application/json" };

type Fixed = Exclude<Answer, (...args: never[]) => unknown>;

const on = (answers: Readonly<Record<string, Fixed | ((ask: Ask) => Fixed)>>): Remote => ({
  wire: "http",
  answer(ask) {
    const answer = answers[ask.method ?? ""];
    return typeof answer === "function" ? answer(ask) : answer;
  },
});

const unknown = (answer: Fixed) => on({ "probe/unknown-method": answer });
const NOT_FOUND = { error: { code: -32601, message: "Method not found" } };

const declares = (capabilities: unknown, answers: Record<string, Fixed> = {}): Remote =>
  on({ initialize: { result: { ...INITIALIZE, capabilities } }, ...answers });

const asksNever =
  (...methods: string[]): NonNullable<Variant["expected"]["also"]> =>
  ({ asked }) =>
    expect(asked.filter(({ method }) => methods.includes(method ?? ""))).toEqual([]);

/** Answers the opening with a version that depends on the one asked for. */
const speaks = (version: (offered: unknown) => unknown): Remote =>
  on({
    initialize: ({ params }) => ({
      result: { ...INITIALIZE, protocolVersion: version(params["protocolVersion"]) },
    }),
  });

const offers = ({ params }: Ask) => params["protocolVersion"];

const UNSUPPORTED = {
  code: -32022,
  message: "Unsupported protocol version",
  data: { supported: ["2026-07-28"], requested: "2025-11-25" },
};

const modern = (discover: unknown): Remote =>
  on({
    initialize: { status: 400, error: UNSUPPORTED },
    "server/discover": { result: discover },
    "tools/list": { result: { resultType: "complete", ttlMs: 0, cacheScope: "private", ...TOOLS } },
    "probe/unknown-method": { status: 404, ...NOT_FOUND },
  });

const { _meta, ...WITHOUT_SERVER_INFO } = DISCOVER;

export const protocolCases: readonly Case[] = [
  {
    id: "P01",
    title: "What is said to a method that nobody knows",
    source: "https://github.com/modelcontextprotocol/python-sdk/issues/1561",
    variants: {
      a: {
        what: "invalid parameters",
        server: unknown({ error: { code: -32602, message: "Invalid request parameters" } }),
        expected: REFUSAL,
      },
      b: {
        what: "a code of the server's own",
        server: unknown({ error: { code: -32000, message: "Server error" } }),
        expected: REFUSAL,
      },
      c: {
        what: "an internal error",
        server: unknown({ error: { code: -32603, message: "Internal error" } }),
        expected: REFUSAL,
      },
      d: { what: "a result", server: unknown({ result: {} }), expected: REFUSAL },
      e: { what: "nothing", server: unknown("hang"), expected: REFUSAL },
      f: {
        what: "the right code, with data and other words",
        server: unknown({ error: { code: -32601, message: "Unbekannt", data: { x: 1 } } }),
        expected: ALIVE,
      },
    },
  },
  {
    id: "P02",
    title: "Lists that are declared, and lists that are not",
    source: "https://github.com/arabold/docs-mcp-server/issues/226",
    variants: {
      a: {
        what: "prompts are declared and unknown",
        server: declares({ tools: {}, prompts: {} }),
        expected: { verdict: "degraded", checks: { "L1.prompts_list": "failed" } },
      },
      b: {
        what: "no resource is a list of resources",
        server: declares(
          { tools: {}, resources: {} },
          { "resources/list": { result: { resources: [] } } },
        ),
        expected: { ...ALIVE, checks: { "L1.resources_list": "passed" } },
      },
      c: {
        what: "what is not declared is not asked for",
        server: declares({ tools: {} }),
        expected: { ...ALIVE, also: asksNever("prompts/list", "resources/list") },
      },
      d: {
        what: "prompts alone",
        server: declares(
          { prompts: {} },
          {
            "tools/list": NOT_FOUND,
            "prompts/list": { result: { prompts: [{ name: "p" }] } },
          },
        ),
        expected: {
          ...ALIVE,
          checks: {
            "L1.tools_list": "inapplicable",
            "L1.tool_schemas": "inapplicable",
            "L1.prompts_list": "passed",
          },
          also: asksNever("tools/list"),
        },
      },
      e: {
        what: "false and null declare nothing",
        server: declares({ tools: {}, prompts: false, resources: null }),
        expected: { ...ALIVE, also: asksNever("prompts/list", "resources/list") },
      },
      f: {
        what: "a resource without a name",
        server: declares(
          { tools: {}, resources: {} },
          { "resources/list": { result: { resources: [{ uri: "x://1" }] } } },
        ),
        expected: { verdict: "degraded", checks: { "L1.resources_list": "failed" } },
      },
    },
  },
  {
    id: "P05",
    title: "Versions that are refused, fixed or made up",
    source: "https://github.com/sickn33/agentic-awesome-skills/issues/1003",
    variants: {
      a: {
        what: "all but one are refused by an error that names it",
        server: on({
          initialize: (ask) =>
            offers(ask) === "2025-06-18"
              ? { result: { ...INITIALIZE, protocolVersion: "2025-06-18" } }
              : {
                  error: {
                    code: -32602,
                    message: "Unsupported",
                    data: { expected: "2025-06-18" },
                  },
                },
        }),
        expected: { ...ALIVE, facts: { version_not_negotiated: ["2025-11-25"] } },
      },
      b: {
        what: "the newest is refused by a 400 that names older ones",
        server: {
          wire: "http",
          answer: (ask) =>
            offers(ask) === "2025-11-25"
              ? {
                  status: 400,
                  headers: { "content-type": "text/plain" },
                  body: "supported versions: 2025-06-18, 2025-03-26, 2024-11-05",
                }
              : ask.method === "initialize"
                ? { result: { ...INITIALIZE, protocolVersion: offers(ask) } }
                : undefined,
        },
        expected: { ...ALIVE, facts: { version_not_negotiated: ["2025-11-25"] } },
      },
      c: {
        what: "always the same published one",
        server: speaks(() => "2025-11-25"),
        expected: ALIVE,
      },
      d: { what: "whatever was offered", server: speaks((offered) => offered), expected: ALIVE },
      e: {
        what: "one that was never published",
        server: speaks(() => "2024-10-07"),
        expected: { verdict: "dead", checks: { "L0.protocol_version": "failed" } },
      },
      g: {
        what: "no date at all",
        server: speaks(() => "not-a-version"),
        expected: { verdict: "dead", checks: { "L0.protocol_version": "failed" } },
      },
      h: {
        what: "one that is newer than all we know",
        server: speaks(() => "2999-01-01"),
        expected: {
          verdict: "unverifiable",
          formerly: "dead",
          reason: "newer-protocol",
          checks: { "L0.protocol_version": "untested" },
        },
      },
      f: {
        what: "a number",
        server: speaks(() => 20_251_125),
        expected: { verdict: "dead", checks: { "L0.protocol_version": "failed" } },
      },
    },
  },
  {
    id: "P06",
    title: "Eras",
    source: "https://github.com/brandhaug/b2b-saas-starter/pull/148",
    variants: {
      a: {
        what: "a server of the modern era alone",
        server: modern(DISCOVER),
        expected: {
          ...ALIVE,
          formerly: "dead",
          facts: { era: "modern", eras: ["modern"] },
          attempts: 3,
        },
      },
      b: {
        what: "a legacy server that misses a session in server/discover",
        server: on({
          "server/discover": {
            status: 400,
            headers: JSON_TYPE,
            body: `{"error":{"code":-32000,"message":"No valid session ID"},"id":null}`,
          },
        }),
        expected: { ...ALIVE, facts: { era: "legacy", eras: ["legacy"] } },
      },
      c: {
        what: "a legacy process that says nothing to server/discover",
        server: {
          wire: "stdio",
          answer: ({ method }) => (method === "server/discover" ? "nothing" : undefined),
        },
        expected: { ...ALIVE, facts: { era: "legacy" } },
      },
      d: {
        what: "a modern server of versions that do not exist yet",
        server: on({
          initialize: NOT_FOUND,
          "server/discover": {
            status: 400,
            error: { ...UNSUPPORTED, data: { supported: ["2026-10-01"] } },
          },
        }),
        expected: {
          verdict: "unverifiable",
          formerly: "dead",
          reason: "newer-protocol",
          checks: { "L0.initialize": "untested" },
          attempts: 3,
        },
      },
      e: {
        what: "a modern server that does not say who it is",
        server: modern(WITHOUT_SERVER_INFO),
        expected: {
          ...ALIVE,
          formerly: "dead",
          checks: { "L1.server_info": "untested" },
          attempts: 3,
        },
      },
      g: {
        what: "a server of both eras",
        server: on({ "server/discover": { result: DISCOVER } }),
        expected: { ...ALIVE, facts: { era: "legacy", eras: ["legacy", "modern"] } },
      },
      f: {
        what: "a legacy process that ends at server/discover",
        server: {
          wire: "stdio",
          answer({ method }, pipe) {
            if (method !== "server/discover") return undefined;
            pipe.exit(1);
            return "nothing";
          },
        },
        expected: { ...ALIVE, facts: { era: "legacy" } },
      },
    },
  },
];
