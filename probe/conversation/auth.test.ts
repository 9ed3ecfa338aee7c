import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { checks } from "../checks/index.ts";
import { evaluate } from "../evaluate.ts";
import { facts } from "../facts/index.ts";
import { record } from "../record.ts";
import { limit } from "../rules.ts";
import { remoteTarget } from "../testing/transcripts.ts";
import { exchanges } from "../views/exchanges.ts";
import { eventsOf } from "../views/view.ts";

/** Answers by path; `body` may say what the server's own origin is as `ORIGIN`. */
type Pages = Record<string, { status?: number; headers?: Record<string, string>; body?: unknown }>;

const RESOURCE = "/.well-known/oauth-protected-resource";
const SERVER = "/.well-known/oauth-authorization-server";
const OPENID = "/.well-known/openid-configuration";

const published = { resource: "ORIGIN/mcp", authorization_servers: ["ORIGIN/tenant"] };
const issued = {
  issuer: "ORIGIN/tenant",
  authorization_endpoint: "ORIGIN/authorize",
  token_endpoint: "ORIGIN/token",
};

/** Probes a server that refuses every POST; what it was asked by GET, and what is known of it. */
async function probe(pages: Pages, path = "/mcp", gate = { status: 401 } as Pages[string]) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const get = request.method === "GET";
    // A GET of the address itself looks for the older transport.
    if (get && request.url !== path) asked.push(request.url!);
    const page = get ? pages[request.url!] : gate;
    const text = (value: string) => value.replaceAll("ORIGIN", origin);
    const headers = Object.entries(page?.headers ?? { "content-type": "application/json" });
    response.writeHead(
      page?.status ?? (page ? 200 : 404),
      Object.fromEntries(headers.map(([name, value]) => [name, text(value)])),
    );
    const { body } = page ?? {};
    response.end(typeof body === "string" ? text(body) : text(JSON.stringify(body ?? {})));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  const transcript = await record(remoteTarget(url), { allowLoopback: true });
  const evaluation = evaluate(transcript, { checks, facts });
  const initialize = evaluation.checks.find(({ check }) => check === "L0.initialize");
  return { asked, transcript, facts: evaluation.facts, initialize };
}

const challenge = (value: string): Pages[string] => ({
  status: 401,
  headers: { "www-authenticate": value },
});

describe("the resource is looked for", () => {
  test("where the challenge says, and only there", async () => {
    const gate = challenge('Bearer resource_metadata="ORIGIN/described?x=1"');
    const { asked, facts: found } = await probe(
      { "/described?x=1": { body: published }, [`${SERVER}/tenant`]: { body: issued } },
      "/mcp",
      gate,
    );
    expect(asked).toEqual(["/described?x=1", `${SERVER}/tenant`]);
    expect(found["auth"]).toEqual({ model: "oauth", where: "opening" });
    expect(found["auth_metadata"]).toMatchObject({ aboutTarget: true });
  });

  test("at the well-known place below the address, then of the host, when there is no challenge", async () => {
    const { asked, facts: found } = await probe({
      [RESOURCE]: { body: published },
      [`${OPENID}/tenant`]: { body: issued },
    });
    expect(asked).toEqual([`${RESOURCE}/mcp`, RESOURCE, `${SERVER}/tenant`, `${OPENID}/tenant`]);
    expect(found["auth"]).toEqual({ model: "oauth", where: "opening" });
  });

  test("once, when the address is the root of its host", async () => {
    const { asked } = await probe({ [RESOURCE]: { body: published } }, "/");
    expect(asked.filter((path) => path.startsWith(RESOURCE))).toEqual([RESOURCE]);
  });
});

describe("the authorization server is looked for", () => {
  test("at its three places, and no further", async () => {
    const { asked, facts: found } = await probe({ [`${RESOURCE}/mcp`]: { body: published } });
    expect(asked).toEqual([
      `${RESOURCE}/mcp`,
      `${SERVER}/tenant`,
      `${OPENID}/tenant`,
      `/tenant${OPENID}`,
    ]);
    expect(found["auth"]).toEqual({ model: "unadvertised", where: "opening" });
  });

  test("at the host's own place, when nothing describes the resource", async () => {
    const { asked, facts: found } = await probe({ [SERVER]: { body: issued } }, "/mcp", {
      ...challenge("Bearer"),
    });
    expect(asked).toEqual([`${RESOURCE}/mcp`, RESOURCE, SERVER]);
    expect(found["auth"]).toEqual({ model: "oauth", where: "opening" });
  });
});

describe("nothing is asked", () => {
  test.each<[string, Pages[string]]>([
    ["a server that is broken", { status: 500 }],
    ["one that wants money", { status: 402 }],
    ["one that asks for patience", { status: 429 }],
    ["a bot challenge", { status: 403, headers: { "cf-mitigated": "challenge" } }],
    ["a page that is not there", { status: 404 }],
  ])("of %s", async (_, gate) => {
    expect((await probe({}, "/mcp", gate)).asked).toEqual([]);
  });

  test.each([
    "http://example.com/x",
    "ftp://127.0.0.1/x",
    "file:///etc/passwd",
    "http://user:secret@127.0.0.1/x",
    "http://169.254.169.254/latest",
    "http://[",
  ])("at a place that the guard refuses: %s", async (place) => {
    const { transcript } = await probe(
      {},
      "/mcp",
      challenge(`Bearer resource_metadata="${place}"`),
    );
    const looked = exchanges(transcript).filter(({ purpose }) => purpose === "auth-metadata");
    // What is left is the host's own place for an authorization server.
    expect(looked.map(({ sent }) => new URL(sent.http!.url).pathname)).toEqual([SERVER]);
  });

  test("of an address that is not public, although the place is named by https", async () => {
    const { transcript } = await probe(
      {},
      "/mcp",
      challenge('Bearer resource_metadata="https://10.0.0.1/x"'),
    );
    const look = exchanges(transcript).find(({ purpose }) => purpose === "auth-metadata")!;
    expect(look.response).toBeUndefined();
    expect(eventsOf(transcript.events, "resolved").at(-1)).toMatchObject({
      addresses: [{ address: "10.0.0.1", allowed: false }],
    });
    expect(eventsOf(transcript.events, "connected")).toHaveLength(1);
  });
});

describe("what a document may do is limited", () => {
  test("a redirect is not followed", async () => {
    const { asked } = await probe({
      [`${RESOURCE}/mcp`]: { status: 302, headers: { location: "/elsewhere" } },
      "/elsewhere": { body: published },
    });
    expect(asked).not.toContain("/elsewhere");
  });

  test("a large one is cut, and counts for nothing", async () => {
    const body = JSON.stringify({
      ...published,
      padding: "x".repeat(limit("auth-metadata-bytes")),
    });
    const { transcript, facts: found } = await probe({ [RESOURCE]: { body } });
    expect(eventsOf(transcript.events, "capped")).toMatchObject([
      { limit: limit("auth-metadata-bytes") },
    ]);
    expect(found).not.toHaveProperty("auth_metadata");
  });

  test("one that is written like a request of the server is not answered", async () => {
    const body = { jsonrpc: "2.0", id: 1, method: "ping" };
    const { transcript } = await probe({ [`${RESOURCE}/mcp`]: { body } });
    expect(exchanges(transcript).some(({ purpose }) => purpose === "answer")).toBe(false);
  });
});

describe("a refusal without a word about a login", () => {
  test.each([400, 403])(
    "is one where the host publishes a login for it: HTTP %i",
    async (status) => {
      const { initialize, facts: found } = await probe(
        { [`${RESOURCE}/mcp`]: { body: published } },
        "/mcp",
        { status, body: "no" },
      );
      expect(initialize).toMatchObject({ outcome: "untested", reason: "auth-required-by-words" });
      expect(found["auth"]).toEqual({ model: "unadvertised", where: "opening" });
    },
  );

  test.each([
    [403, "untested", "refused"],
    [400, "failed", "http-status"],
  ])("is not, where it publishes none: HTTP %i", async (status, outcome, reason) => {
    const { initialize } = await probe({}, "/mcp", { status, body: "no" });
    expect(initialize).toMatchObject({ outcome, reason });
  });

  test("is none either by a document about another address", async () => {
    const { initialize } = await probe(
      { [`${RESOURCE}/mcp`]: { body: { ...published, resource: "ORIGIN/other" } } },
      "/mcp",
      { status: 403, body: "no" },
    );
    expect(initialize).toMatchObject({ outcome: "untested", reason: "refused" });
  });
});
