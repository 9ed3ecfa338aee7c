import { createServer } from "node:net";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Embedded, startEmbedded } from "./start.ts";

const LEGACY = "2025-11-25";
const MODERN = "2026-07-28";

let embedded: Embedded;

beforeAll(async () => {
  embedded = await startEmbedded();
}, 60_000);
afterAll(() => embedded.stop());

describe("the embedded servers", () => {
  test("are listed with the ports they listen on", () => {
    const urls = embedded.listings.flatMap(({ remotes = [] }) => remotes.map(({ url }) => url));
    const paths = {
      everything: "mcp",
      "everything-sse": "sse",
      "both-eras": "mcp",
      "modern-only": "mcp",
    };
    expect(urls).toEqual(
      Object.entries(embedded.ports).map(
        ([name, port]) => `http://127.0.0.1:${port}/${paths[name as keyof typeof paths]}`,
      ),
    );
  });

  test.each([
    { name: "everything", opens: "with initialize", method: "initialize", answer: "everything" },
    { name: "both-eras", opens: "with initialize", method: "initialize", answer: "both-eras" },
    { name: "both-eras", opens: "with discover", method: "server/discover", answer: "both-eras" },
    {
      name: "modern-only",
      opens: "with discover",
      method: "server/discover",
      answer: "modern-only",
    },
    { name: "modern-only", opens: "never with initialize", method: "initialize", answer: "-32022" },
  ] as const)("$name opens $opens", async ({ name, method, answer }) => {
    expect(await ask(name, method)).toContain(answer);
  });

  test.each([
    ["both-eras", "count_words", { text: "one  two\nthree" }, { words: 3, lines: 2 }],
    ["both-eras", "roman_numeral", { number: 2026 }, { numeral: "MMXXVI" }],
    ["both-eras", "roman_numeral", { number: 1994 }, { numeral: "MCMXCIV" }],
    ["both-eras", "easter_date", {}, { date: "2026-04-05" }],
    ["both-eras", "easter_date", { year: 1961 }, { date: "1961-04-02" }],
    ["both-eras", "easter_date", { year: 2038 }, { date: "2038-04-25" }],
    ["modern-only", "prime_factors", { number: 999_983 }, { factors: [999_983] }],
    ["modern-only", "prime_factors", { number: 360 }, { factors: [2, 2, 2, 3, 3, 5] }],
    ["modern-only", "weekday_of", { date: "2026-11-30" }, { weekday: "Monday" }],
  ] as const)("%s: %s of %o is %o", async (server, name, given, expected) => {
    const reply = JSON.parse(await ask(server, "tools/call", { name, arguments: given }));
    expect(reply.result.structuredContent).toEqual(expected);
  });
});

describe("starting and stopping", () => {
  test("nothing survives, and the same ports can be had again", async () => {
    const first = await startEmbedded();
    await first.stop();
    await first.stop();
    const refusals = await Promise.all(Object.values(first.ports).map(refuses));
    expect(new Set(refusals)).toEqual(new Set([true]));
    const second = await startEmbedded({ ports: first.ports });
    await second.stop();
    expect(second.ports).toEqual(first.ports);
  }, 60_000);

  test("a port that somebody else has is left to them", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    const started = await startEmbedded({ ports: { "both-eras": port } });
    await started.stop();
    other.close();
    expect(started.ports["both-eras"]).not.toBe(port);
  }, 60_000);

  test("an abort ends the start, and what was started", async () => {
    const controller = new AbortController();
    const starting = startEmbedded({ signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(starting).rejects.toThrow("enough");
  }, 60_000);

  test("an abort ends servers that run", async () => {
    const controller = new AbortController();
    const { ports, stop } = await startEmbedded({ signal: controller.signal });
    controller.abort();
    await stop();
    expect(await refuses(ports["modern-only"])).toBe(true);
  }, 60_000);
});

async function ask(name: keyof Embedded["ports"], method: string, params = {}): Promise<string> {
  const version = method === "initialize" ? LEGACY : MODERN;
  const response = await fetch(`http://127.0.0.1:${embedded.ports[name]}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(version === MODERN && { "mcp-protocol-version": version, "mcp-method": method }),
      ...("name" in params && { "mcp-name": String(params.name) }),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: { ...about(version), ...params },
    }),
  });
  return response.text();
}

function about(version: string) {
  const clientInfo = { name: "test", version: "0" };
  if (version === LEGACY) return { protocolVersion: version, capabilities: {}, clientInfo };
  const key = "io.modelcontextprotocol";
  return {
    _meta: {
      [`${key}/protocolVersion`]: version,
      [`${key}/clientInfo`]: clientInfo,
      [`${key}/clientCapabilities`]: {},
    },
  };
}

async function refuses(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/mcp`).then(
    () => false,
    () => true,
  );
}
