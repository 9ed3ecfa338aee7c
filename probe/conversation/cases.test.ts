/** What servers in the wild do instead of opening the door, and what is made of it. */
import { describe, expect, onTestFinished, test } from "vitest";
import verdict100 from "../../methodology/verdict/1.0.0/index.ts";
import verdict110 from "../../methodology/verdict/1.1.0/index.ts";
import { assessAlone } from "../../methodology/methodology.ts";
import { checks } from "../checks/index.ts";
import { observe } from "../evaluate.ts";
import { facts } from "../facts/index.ts";
import { record } from "../record.ts";
import { type Asked, type Reply, serveMcp } from "../testing/servers/mcp.ts";
import { DISCOVER, INITIALIZE, METHOD_NOT_FOUND, remoteTarget } from "../testing/transcripts.ts";

type Answer = (asked: Asked) => Reply | undefined;

/** The observation of three attempts that all went as one did, a minute and more apart. */
async function observed(answer: Answer) {
  const server = await serveMcp(answer);
  onTestFinished(() => server.stop());
  const first = await record(remoteTarget(server.url), { allowLoopback: true });
  const attempts = [0, 1, 2].map((index) => ({
    ...first,
    attempt: index + 1,
    startedAt: new Date(Date.parse(first.startedAt) + index * 90_000).toISOString(),
  }));
  return observe(attempts, { checks, facts, control: "passed" });
}

const json = (status: number, body: string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body,
});
const always =
  (reply: Reply): Answer =>
  ({ http }) =>
    http === "POST" ? reply : undefined;
const rpc = (code: number, message: string): Reply => ({ error: { code, message } });

const offered = ({ params }: Asked) => params?.["protocolVersion"];
const version = (protocolVersion: unknown): Reply => ({
  result: { ...INITIALIZE, protocolVersion },
});
const initialize =
  (answer: (asked: Asked) => Reply | undefined): Answer =>
  (asked) =>
    asked.method === "initialize" ? answer(asked) : undefined;

const modernOnly =
  (discover: unknown): Answer =>
  ({ method }) => {
    if (method === "server/discover") return { result: discover };
    const data = { supported: ["2026-07-28"], requested: "2025-11-25" };
    if (method !== "initialize") return undefined;
    return { error: { code: -32022, message: "Unsupported protocol version", data }, status: 400 };
  };

interface Expected {
  /** Verdict of 1.0.0 and 1.1.0, each with its reason where it has one. */
  verdicts: readonly [string, string];
  facts?: Record<string, unknown>;
}

const both = (verdict: string): readonly [string, string] => [verdict, verdict];

describe("asking for a login by HTTP 401 is unverifiable in both versions", () => {
  test.each<[string, Reply, string]>([
    [
      "with a challenge that names its metadata, which is not there",
      json(401, "", { "www-authenticate": 'Bearer resource_metadata="https://127.0.0.1:1/x"' }),
      "bearer",
    ],
    [
      "in plain text without a challenge",
      { status: 401, headers: { "content-type": "text/plain" }, body: "Unauthorized" },
      "unadvertised",
    ],
    ["with a challenge of Kerberos", json(401, "", { "www-authenticate": "Negotiate" }), "other"],
    [
      "with an id inside the error",
      json(401, '{"jsonrpc":"2.0","error":{"code":10,"message":"Unauthorized","id":null}}'),
      "unadvertised",
    ],
  ])("%s", async (_, reply, model) => {
    await holds(always(reply), {
      verdicts: both("unverifiable: auth-required"),
      facts: { auth: { model, where: "opening" } },
    });
  });
});

describe("a door that is shut in another way", () => {
  test.each<[string, Answer, Expected]>([
    [
      "403 that names a key",
      always(json(403, '{"error":"API key required"}')),
      { verdicts: ["dead", "unverifiable: auth-required"] },
    ],
    [
      "403 without a word",
      always({ status: 403 }),
      { verdicts: ["dead", "unverifiable: refused"] },
    ],
    [
      "an error in 200 that names a key",
      always(rpc(-32001, "Unauthorized: missing access key")),
      { verdicts: ["dead", "unverifiable: auth-required"] },
    ],
    [
      "the same code about a session",
      always(rpc(-32001, "Session not found")),
      { verdicts: both("dead") },
    ],
    [
      "400 that names a query parameter",
      always(json(400, '{"message":"Missing query parameter api_key"}')),
      {
        verdicts: ["dead", "unverifiable: auth-required"],
        facts: { credentials_in_url: ["api_key"] },
      },
    ],
    [
      "a bot challenge",
      always({
        status: 403,
        headers: { "cf-mitigated": "challenge", "content-type": "text/html" },
        body: "<title>Just a moment...</title>",
      }),
      { verdicts: ["dead", "unverifiable: refused"] },
    ],
    [
      "403 of a CDN without a challenge",
      always(json(403, '{"error":"forbidden"}', { server: "cloudflare" })),
      { verdicts: ["dead", "unverifiable: refused"] },
    ],
    [
      "an error page of the origin that holds a challenge script",
      always({
        status: 503,
        headers: { "content-type": "text/html" },
        body: "<script src=/cdn-cgi/challenge-platform/x>",
      }),
      { verdicts: both("dead") },
    ],
    [
      "402",
      always(json(402, '{"x402Version":1,"accepts":[]}')),
      { verdicts: ["dead", "unverifiable: payment-required"] },
    ],
    [
      "429 on every attempt",
      always({ status: 429, headers: { "retry-after": "3600" } }),
      { verdicts: ["dead", "unverifiable: rate-limited"] },
    ],
    [
      "421 of a guard of hosts",
      always({
        status: 421,
        headers: { "content-type": "text/plain" },
        body: "Invalid Host header",
      }),
      { verdicts: both("dead") },
    ],
  ])("%s", async (_, answer, expected) => {
    await holds(answer, expected);
  });
});

describe("a door that is shut behind the opening", () => {
  const from =
    (...open: string[]): Answer =>
    ({ http, method }) =>
      http === "POST" && !open.includes(method ?? "")
        ? { status: 401, headers: { "www-authenticate": "Bearer" } }
        : undefined;

  test("everything after the handshake", async () => {
    await holds(from("initialize", "notifications/initialized"), {
      verdicts: both("unverifiable: auth-required"),
      facts: { auth: { model: "bearer", where: "lists" } },
    });
  });

  test("the notification alone is no obstacle", async () => {
    await holds(from("initialize", "tools/list", "probe/unknown-method"), {
      verdicts: both("alive"),
      facts: { auth: { model: "bearer", where: "initialized" }, initialized_status: 401 },
    });
  });

  test("the handshake alone: the open list is not asked for", async () => {
    await holds(from("tools/list"), { verdicts: both("unverifiable: auth-required") });
  });

  test("a list that is refused in words", async () => {
    await holds(
      ({ method }) => (method === "tools/list" ? rpc(-32001, "Unauthorized") : undefined),
      { verdicts: both("unverifiable: auth-required") },
    );
  });
});

describe("versions", () => {
  const strict = (only: string, refusal: Reply): Answer =>
    initialize((asked) => (offered(asked) === only ? version(only) : refusal));

  test.each<[string, Answer, Expected]>([
    [
      "one date alone, named in the error's data",
      strict("2025-06-18", {
        error: { code: -32602, message: "no", data: { expected: "2025-06-18" } },
      }),
      { verdicts: both("alive"), facts: { version_not_negotiated: ["2025-11-25"] } },
    ],
    [
      "three dates, named in plain text",
      strict("2025-06-18", {
        status: 400,
        headers: { "content-type": "text/plain" },
        body: "supported versions: 2025-06-18, 2025-03-26, 2024-11-05",
      }),
      { verdicts: both("alive"), facts: { version_not_negotiated: ["2025-11-25"] } },
    ],
    ["always the same", initialize(() => version("2025-11-25")), { verdicts: both("alive") }],
    [
      "whatever was asked",
      initialize((asked) => version(offered(asked))),
      { verdicts: both("alive") },
    ],
    [
      "one that was never published",
      initialize(() => version("2024-10-07")),
      { verdicts: both("dead") },
    ],
    ["nonsense", initialize(() => version("not-a-version")), { verdicts: both("dead") }],
    ["a number", initialize(() => version(20251125)), { verdicts: both("dead") }],
    [
      "one that is newer than ours",
      initialize(() => version("2999-01-01")),
      { verdicts: ["dead", "unverifiable: newer-protocol"] },
    ],
  ])("%s", async (_, answer, expected) => {
    await holds(answer, expected);
  });
});

describe("eras", () => {
  const noSession: Reply = {
    status: 400,
    headers: { "content-type": "application/json" },
    body: '{"jsonrpc":"2.0","error":{"code":-32000,"message":"No valid session ID"},"id":null}',
  };

  test.each<[string, Answer, Expected]>([
    [
      "modern alone",
      modernOnly(DISCOVER),
      { verdicts: ["dead", "alive"], facts: { era: "modern", eras: ["modern"] } },
    ],
    [
      "modern alone, without a name",
      modernOnly({ ...DISCOVER, _meta: {} }),
      { verdicts: ["dead", "alive"], facts: { era: "modern" } },
    ],
    [
      "legacy, where discovery meets a missing session",
      ({ method }) => (method === "server/discover" ? noSession : undefined),
      { verdicts: both("alive"), facts: { era: "legacy", eras: ["legacy"] } },
    ],
    [
      "both",
      ({ method }) => (method === "server/discover" ? { result: DISCOVER } : undefined),
      { verdicts: both("alive"), facts: { era: "legacy", eras: ["legacy", "modern"] } },
    ],
    [
      "a newer one alone",
      ({ method }) =>
        method === "server/discover"
          ? { error: { code: -32022, message: "no", data: { supported: ["2999-10-01"] } } }
          : { error: METHOD_NOT_FOUND },
      { verdicts: ["dead", "unverifiable: newer-protocol"] },
    ],
  ])("%s", async (_, answer, expected) => {
    await holds(answer, expected);
  });
});

async function holds(answer: Answer, { verdicts, facts: expected = {} }: Expected): Promise<void> {
  const observation = await observed(answer);
  const said = [verdict100, verdict110].map((methodology) => {
    const { verdict, reason } = assessAlone(methodology, observation);
    return verdict === "unverifiable" ? `${verdict}: ${reason}` : verdict;
  });
  expect(said).toEqual(verdicts);
  expect(observation.facts).toMatchObject(expected);
}
