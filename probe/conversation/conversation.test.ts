import { tmpdir } from "node:os";
import { describe, expect, onTestFinished, test } from "vitest";
import { checks } from "../checks/index.ts";
import { evaluate } from "../evaluate.ts";
import { facts } from "../facts/index.ts";
import { record, type RecordOptions } from "../record.ts";
import { limit } from "../rules.ts";
import { type Asked, type McpServer, type Reply, serveMcp } from "../testing/servers/mcp.ts";
import {
  DISCOVER,
  GET_WORD,
  INITIALIZE,
  METHOD_NOT_FOUND,
  remoteTarget,
} from "../testing/transcripts.ts";
import type { Transcript } from "../transcript/schema.ts";
import { exchanges } from "../views/exchanges.ts";
import { tools } from "../views/lists.ts";
import { opening } from "../views/opening.ts";
import { eventsOf } from "../views/view.ts";
import { headerValue } from "./stateless.ts";

async function talkTo(
  answer?: (asked: Asked, all: readonly Asked[]) => Reply | undefined,
  options: RecordOptions = {},
) {
  const server = await serveMcp(answer);
  onTestFinished(() => server.stop());
  const transcript = await record(remoteTarget(server.url), { allowLoopback: true, ...options });
  return { transcript, server };
}

const methods = ({ asked }: McpServer) => asked.map(({ http, method }) => method ?? http);

const discoverable = ({ method }: Asked): Reply | undefined =>
  method === "server/discover" ? { result: DISCOVER } : undefined;

describe("in the legacy era", () => {
  test("the order is opening, initialized, lists, unknown method, and a look at the other era", async () => {
    const { server } = await talkTo();
    expect(methods(server)).toEqual([
      "initialize",
      "notifications/initialized",
      "tools/list",
      "probe/unknown-method",
      "server/discover",
    ]);
  });

  test("the opening carries no header of the protocol, everything after it the negotiated version and the session", async () => {
    const result = { ...INITIALIZE, protocolVersion: "2025-06-18" };
    const { server } = await talkTo(({ method, message }) =>
      method === "initialize"
        ? {
            status: 200,
            headers: { "content-type": "application/json", "mcp-session-id": "s1" },
            body: JSON.stringify({ jsonrpc: "2.0", id: message["id"], result }),
          }
        : undefined,
    );
    const seen = server.asked.map(({ headers }) => [
      headers["mcp-protocol-version"],
      headers["mcp-session-id"],
    ]);
    expect(seen[0]).toEqual([undefined, undefined]);
    expect(new Set(seen.slice(1, -1).map(String))).toEqual(new Set(["2025-06-18,s1"]));
    // The other era is looked at when the session is over, and without it.
    expect(methods(server).slice(-2)).toEqual(["DELETE", "server/discover"]);
    expect(seen.at(-1)).toEqual(["2026-07-28", undefined]);
  });

  test("no request carries an origin, a cookie or a credential", async () => {
    const { server } = await talkTo();
    for (const { headers } of server.asked) {
      expect(headers).not.toHaveProperty("origin");
      expect(headers).not.toHaveProperty("cookie");
      expect(headers).not.toHaveProperty("authorization");
      expect(headers["user-agent"]).toMatch(/^probity\//);
    }
  });

  test("ids count from 1, and the unknown method has a string id", async () => {
    const { server } = await talkTo();
    const ids = server.asked.map(({ message }) => message["id"]).filter((id) => id !== undefined);
    expect(ids).toEqual([1, 2, "p-1", 3]);
  });

  test("a list that is not declared is not asked for", async () => {
    const capabilities = { tools: {}, prompts: false, resources: null };
    const { server } = await talkTo(({ method }) =>
      method === "initialize" ? { result: { ...INITIALIZE, capabilities } } : undefined,
    );
    expect(methods(server).filter((method) => method.endsWith("/list"))).toEqual(["tools/list"]);
  });

  test("a list is followed over its pages, an empty cursor included", async () => {
    const { transcript, server } = await talkTo(({ method, params }) =>
      method === "tools/list"
        ? { result: params ? { tools: [] } : { tools: [GET_WORD], nextCursor: "" } }
        : undefined,
    );
    const asked = server.asked.filter(({ method }) => method === "tools/list");
    expect(asked.map(({ params }) => params)).toEqual([undefined, { cursor: "" }]);
    expect(tools(transcript).end).toEqual({ how: "complete" });
  });

  test("a list that repeats its cursor is left", async () => {
    const { transcript } = await talkTo(({ method }) =>
      method === "tools/list" ? { result: { tools: [], nextCursor: "again" } } : undefined,
    );
    expect(tools(transcript)).toMatchObject({ end: { how: "broken", because: "cursor-cycle" } });
    expect(tools(transcript).pages).toHaveLength(2);
  });

  test("a notification that is never answered holds nothing up", async () => {
    const { transcript } = await talkTo(({ method }) =>
      method === "notifications/initialized" ? "hang" : undefined,
    );
    const last = exchanges(transcript).find(({ purpose }) => purpose === "unknown-method")!;
    expect(last).toMatchObject({ reply: { exact: true } });
    expect(last.sent.at).toBeLessThan(5000);
  });

  test("a request does not overtake the notification that we are ready", async () => {
    let taken = false;
    const { transcript } = await talkTo(({ method }) => {
      if (method === "notifications/initialized") {
        return { status: 202, after: 50, sent: () => (taken = true) };
      }
      const early = method === "tools/list" && !taken;
      return early ? { error: { code: -32600, message: "not ready" } } : undefined;
    });
    expect(tools(transcript).end).toEqual({ how: "complete" });
  });

  const ping = { jsonrpc: "2.0", id: "s-1", method: "ping" };
  test.each<[string, unknown]>([
    ["", ping],
    [" together with others", [{ jsonrpc: "2.0", method: "notifications/message" }, ping]],
  ])("a ping of the server%s is answered while its reply is awaited", async (_, sent) => {
    let pong: unknown;
    const { transcript } = await talkTo(({ method, message }) => {
      if (message["id"] === "s-1") pong = message["result"];
      if (method !== "tools/list") return undefined;
      const reply = { jsonrpc: "2.0", id: message["id"], result: { tools: [] } };
      const body = [sent, reply].map((each) => `data: ${JSON.stringify(each)}\n\n`).join("");
      return { status: 200, headers: { "content-type": "text/event-stream" }, body };
    });
    expect(pong).toEqual({});
    expect(tools(transcript).end).toEqual({ how: "complete" });
  });
});

test("a ping before the reply to initialize is answered in the session that its head names", async () => {
  const { server } = await talkTo(({ method, message }) => {
    if (method !== "initialize") return undefined;
    const ping = { jsonrpc: "2.0", id: "s-1", method: "ping" };
    const reply = { jsonrpc: "2.0", id: message["id"], result: INITIALIZE };
    const body = [ping, reply].map((each) => `data: ${JSON.stringify(each)}\n\n`).join("");
    const headers = { "content-type": "text/event-stream", "mcp-session-id": "s1" };
    return { status: 200, headers, body };
  });
  const pong = server.asked.find(({ message }) => message["id"] === "s-1");
  expect(pong?.headers).toMatchObject({
    "content-type": "application/json",
    "mcp-session-id": "s1",
  });
});

test("reading ends at the size limit of an attempt, whose fault is ours", async () => {
  let page = 0;
  const { transcript } = await talkTo(({ method, message }) => {
    if (method !== "tools/list") return undefined;
    const result = { tools: [], nextCursor: String((page += 1)), padding: "x".repeat(15 << 20) };
    return {
      status: 200,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: message["id"], result }),
    };
  });
  expect(page).toBe(5);
  expect(eventsOf(transcript.events, "capped")).toMatchObject([{ limit: limit("attempt") }]);
  const { checks: outcomes } = evaluate(transcript, { checks, facts: [] });
  expect(outcomes.find(({ check }) => check === "L1.tools_list")).toMatchObject({
    outcome: "cantTell",
    reason: "probe-failed",
  });
});

describe("the version ladder", () => {
  test("offers what the refusal names, newest first", async () => {
    const { server, transcript } = await talkTo(({ method, params }) => {
      if (method !== "initialize" || params?.["protocolVersion"] === "2024-11-05") return undefined;
      const data = { supported: ["2024-11-05", "2025-03-26"] };
      return { error: { code: -32602, message: "Unsupported protocol version", data } };
    });
    const offered = server.asked.map(({ params }) => params?.["protocolVersion"]);
    expect(offered.slice(0, 3)).toEqual(["2025-11-25", "2025-03-26", "2024-11-05"]);
    expect(opening(transcript)).toMatchObject({ opened: true, era: "legacy" });
  });

  test("goes on with older ones when what was named does not open either", async () => {
    const { server, transcript } = await talkTo(({ method, params }) => {
      if (method !== "initialize" || params?.["protocolVersion"] === "2024-11-05") return undefined;
      return { error: { code: -32602, message: "no", data: { expected: "2025-06-18" } } };
    });
    const offered = server.asked.map(({ params }) => params?.["protocolVersion"]);
    expect(offered.slice(0, 4)).toEqual(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]);
    expect(opening(transcript)).toMatchObject({ opened: true, era: "legacy" });
  });

  test.each<[string, Reply]>([
    ["a login", { status: 401, body: "since 2025-06-18" }],
    ["a rate limit", { status: 429, body: "since 2025-06-18" }],
    ["a login in words", { error: { code: 1, message: "Unauthorized; see 2025-06-18" } }],
    ["a page that names what we offered", { status: 404, body: "no 2025-11-25" }],
  ])("is not climbed after %s", async (_, refusal) => {
    const { server } = await talkTo(() => refusal);
    expect(methods(server).filter((method) => method === "initialize")).toHaveLength(1);
  });

  test("reads the versions out of a plain text refusal too", async () => {
    const { transcript } = await talkTo(({ method, params }) =>
      method === "initialize" && params?.["protocolVersion"] === "2025-11-25"
        ? { status: 400, headers: { "content-type": "text/plain" }, body: "use 2025-06-18" }
        : undefined,
    );
    expect(opening(transcript)).toMatchObject({ opened: true, era: "legacy" });
  });
});

describe("in the modern era", () => {
  test.each<[string, Reply]>([
    ["-32022", { error: { code: -32022, message: "no", data: {} }, status: 400 }],
    ["-32601 with 404", { error: METHOD_NOT_FOUND, status: 404 }],
    ["-32601 with 200", { error: METHOD_NOT_FOUND }],
    ["an HTML page", { status: 404, headers: { "content-type": "text/html" }, body: "<html>" }],
  ])("discovery follows an initialize refused with %s", async (_, refusal) => {
    const { server, transcript } = await talkTo((asked) =>
      asked.method === "initialize" ? refusal : discoverable(asked),
    );
    expect(opening(transcript)).toMatchObject({ opened: true, era: "modern" });
    expect(methods(server)).toEqual([
      "initialize",
      "server/discover",
      "tools/list",
      "probe/unknown-method",
    ]);
  });

  test("every request names version, method and client, in headers and in _meta", async () => {
    const { server } = await talkTo(discoverable, { era: "modern" });
    for (const { headers, method, params } of server.asked) {
      expect(headers).toMatchObject({ "mcp-protocol-version": "2026-07-28", "mcp-method": method });
      expect(params?.["_meta"]).toMatchObject({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "probity" },
        "io.modelcontextprotocol/clientCapabilities": {},
      });
    }
    expect(methods(server)).not.toContain("initialize");
  });

  test.each([
    ["plain text", "get_word", "get_word"],
    ["text that HTTP cannot carry", "mot é", "=?base64?bW90IMOp?="],
    ["a blank at the end", "a ", "=?base64?YSA=?="],
    ["text that looks encoded already", "=?base64?x?=", "=?base64?PT9iYXNlNjQ/eD89?="],
  ])("a header value of %s is written as the specification says", (_, text, value) => {
    expect(headerValue(text)).toBe(value);
  });
});

describe("a server that goes on with a newer version than ours", () => {
  test.each<[string, string, unknown]>([
    ["initialize", "initialize", { ...INITIALIZE, protocolVersion: "2099-01-01" }],
    ["server/discover", "server/discover", { ...DISCOVER, supportedVersions: ["2099-01-01"] }],
  ])("in its answer to %s is asked nothing that it did not offer", async (_, opens, result) => {
    const { server, transcript } = await talkTo(({ method }) =>
      method === opens ? { result } : { error: METHOD_NOT_FOUND },
    );
    expect(methods(server).at(-1)).toBe(opens);
    const { checks: outcomes } = evaluate(transcript, { checks, facts });
    expect(outcomes.find(({ check }) => check === "L0.protocol_version")).toMatchObject({
      outcome: "untested",
      reason: "newer-protocol",
    });
  });
});

describe("no second era is tried", () => {
  test.each<[string, Reply]>([
    ["a login", { status: 401 }],
    ["a refusal", { status: 403 }],
    ["a bill", { status: 402 }],
    ["a rate limit", { status: 429 }],
    ["a server error", { status: 503 }],
    ["a redirect", { status: 301, headers: { location: "/elsewhere" } }],
  ])("after %s", async (_, refusal) => {
    const { server } = await talkTo(() => refusal);
    expect(methods(server).filter((method) => method !== "GET")).toEqual(["initialize"]);
  });

  test("after a login that is asked for in words", async () => {
    const error = { code: -32001, message: "Unauthorized: missing access key" };
    const { server } = await talkTo(() => ({ error }));
    expect(methods(server).filter((method) => method !== "GET")).toEqual(["initialize"]);
  });

  test("when the author asked for the legacy one alone", async () => {
    const { server } = await talkTo(
      ({ method }) => (method === "initialize" ? { error: METHOD_NOT_FOUND } : undefined),
      { era: "legacy" },
    );
    expect(methods(server)).toEqual(["initialize"]);
  });
});

test("a gate inside the battery ends it", async () => {
  const { server } = await talkTo(({ method }) =>
    method === "tools/list" ? { status: 401 } : undefined,
  );
  expect(
    methods(server)
      .filter((method) => method !== "GET")
      .at(-1),
  ).toBe("tools/list");
});

describe("a look at the other era", () => {
  const eras = (transcript: Transcript) =>
    evaluate(transcript, { checks: [], facts }).facts["eras"];

  test("finds it, and changes nothing else that is known", async () => {
    const other = {
      ...DISCOVER,
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "other", version: "9" } },
    };
    const { transcript } = await talkTo(({ method }) =>
      method === "server/discover" ? { result: other } : undefined,
    );
    expect(eras(transcript)).toEqual(["legacy", "modern"]);
    expect(opening(transcript)).toMatchObject({ era: "legacy" });
    const said = evaluate(transcript, { checks: [], facts }).facts["server_info"];
    expect(said).toMatchObject({ name: "fixture" });
  });

  test.each<[string, Reply]>([
    ["a page", { status: 500, headers: { "content-type": "text/html" }, body: "<html>" }],
    [
      "a wrong envelope",
      { status: 200, headers: { "content-type": "application/json" }, body: "{}" },
    ],
    ["a login", { status: 401 }],
  ])("leaves every outcome alone when it meets %s", async (_, reply) => {
    const { transcript } = await talkTo(({ method }) =>
      method === "server/discover" ? reply : undefined,
    );
    const { checks: outcomes } = evaluate(transcript, { checks, facts });
    expect(outcomes.filter(({ outcome }) => outcome === "failed")).toEqual([]);
    expect(eras(transcript)).toEqual(["legacy"]);
  });

  test("is not taken in a liveness run, nor when an author names one era", async () => {
    for (const options of [{ kind: "liveness" }, { era: "legacy" }] as const) {
      const { server } = await talkTo(undefined, options);
      expect(methods(server)).not.toContain("server/discover");
    }
  });
});

describe("a server that asks us to slow down", () => {
  const busy =
    (times: number, after: string, status = 429) =>
    ({ method }: Asked, all: readonly Asked[]): Reply | undefined =>
      method === "tools/list" && all.filter((one) => one.method === method).length <= times
        ? { status, headers: { "retry-after": after } }
        : undefined;

  test.each(["0", "Tue, 01 Jan 2019 00:00:00 GMT"])(
    "for a short time (%s) is asked once more",
    async (after) => {
      const { transcript } = await talkTo(busy(1, after));
      expect(tools(transcript)).toMatchObject({ end: { how: "complete" }, pages: { length: 1 } });
      const { checks: outcomes } = evaluate(transcript, { checks, facts });
      expect(outcomes.filter(({ outcome }) => outcome === "failed")).toEqual([]);
    },
  );

  test("is not asked a third time", async () => {
    const { server, transcript } = await talkTo(busy(2, "0"));
    expect(methods(server).filter((method) => method === "tools/list")).toHaveLength(2);
    expect(tools(transcript).end).toMatchObject({ how: "gated" });
  });

  test.each([
    ["61", 429],
    ["soon", 429],
    ["0", 403],
  ])("for %s (HTTP %i) is left alone", async (after, status) => {
    const { server } = await talkTo(busy(1, after, status));
    expect(methods(server).filter((method) => method === "tools/list")).toHaveLength(1);
  });

  test("at the unknown method is asked that again", async () => {
    const { transcript } = await talkTo(({ method }, all) =>
      method === "probe/unknown-method" && all.filter((one) => one.method === method).length === 1
        ? { status: 429, headers: { "retry-after": "0" } }
        : undefined,
    );
    const { checks: outcomes } = evaluate(transcript, { checks, facts });
    expect(outcomes.find(({ check }) => check === "L1.unknown_method")).toMatchObject({
      outcome: "passed",
    });
  });
});

test("a liveness run asks for the opening and nothing else", async () => {
  const { server } = await talkTo(undefined, { kind: "liveness" });
  expect(methods(server)).toEqual(["initialize"]);
});

test("a URL with a hole in it is not dialled", async () => {
  const target = remoteTarget("https://mcp.example/{tenant}");
  expect((await record({ ...target, missing: ["tenant"] })).events).toEqual([]);
});

describe("over stdio", () => {
  const recordScript = (script: string) =>
    record(
      { kind: "command", key: "x", argv: ["x"], environment: {}, missing: [] },
      {
        launch: {
          argv: [process.execPath, "-e", `${SCRIPTED}\n${script}`],
          shown: ["x"],
          cwd: tmpdir(),
          environment: {},
        },
      },
    );

  test("a refused initialize is followed by discovery in the same process", async () => {
    const transcript = await recordScript(`serve((m) =>
      m.method === "server/discover" ? { result: ${JSON.stringify(DISCOVER)} } :
      m.method === "tools/list" ? { result: { tools: [] } } :
      { error: { code: -32601, message: "Method not found" } });`);
    expect(opening(transcript)).toMatchObject({ opened: true, era: "modern" });
    expect(eventsOf(transcript.events, "spawned")).toHaveLength(1);
  });

  test("a process that ended at initialize is started again for discovery", async () => {
    const transcript = await recordScript(`serve((m) =>
      m.method === "initialize" ? process.exit(1) :
      m.method === "server/discover" ? { result: ${JSON.stringify(DISCOVER)} } :
      m.method === "tools/list" ? { result: { tools: [] } } :
      { error: { code: -32601, message: "Method not found" } });`);
    expect(opening(transcript)).toMatchObject({ opened: true, era: "modern" });
    expect(eventsOf(transcript.events, "spawned")).toHaveLength(2);
  });

  test("a login that is asked for in words is no refusal of the era", async () => {
    const transcript = await recordScript(
      `serve(() => ({ error: { code: -32000, message: "API key is required" } }));`,
    );
    expect(exchanges(transcript).map(({ method }) => method)).toEqual(["initialize"]);
  });

  test("the other era is not looked at: a process is bound to its first message", async () => {
    const transcript = await recordScript(`serve((m) => (
      m.method === "initialize" ? { result: ${JSON.stringify(INITIALIZE)} } : { result: { tools: [] } }));`);
    expect(exchanges(transcript).map(({ method }) => method)).not.toContain("server/discover");
  });

  test("a reply with a wrong id still carries the conversation", async () => {
    const transcript = await recordScript(`serve((m) => ({ id: 0,
      result: m.method === "initialize" ? ${JSON.stringify(INITIALIZE)} : { tools: [] } }));`);
    expect(opening(transcript)).toMatchObject({ opened: true });
    expect(tools(transcript).end).toEqual({ how: "complete" });
    expect(exchanges(transcript).every(({ reply }) => !reply?.exact)).toBe(true);
  });

  test("a refusal that is nested too deep to be written out again is read all the same", async () => {
    const transcript = await recordScript(`serve(({ id }) => {
      const data = "[".repeat(100000) + "]".repeat(100000);
      console.log('{"jsonrpc":"2.0","id":' + id + ',"error":{"code":1,"message":"no","data":' + data + "}}");
      return { id: "unasked" };
    });`);
    expect(opening(transcript)).toMatchObject({ opened: false });
  });

  test("a request without a proper id gets no answer", async () => {
    const transcript = await recordScript(`
      for (const id of ["null", "{}", "[".repeat(100000) + "]".repeat(100000)]) {
        console.log('{"jsonrpc":"2.0","method":"ping","id":' + id + "}");
      }
      serve(() => ({ result: ${JSON.stringify(INITIALIZE)} }));`);
    expect(opening(transcript)).toMatchObject({ opened: true });
    expect(exchanges(transcript).some(({ purpose }) => purpose === "answer")).toBe(false);
  });

  test("a server that pings without end is answered up to a limit, and read in time", async () => {
    const transcript = await recordScript(`
      const ping = '{"jsonrpc":"2.0","method":"ping","id":1}\\n';
      process.stdout.write(ping.repeat(1500));
      serve((m) => m.method && { result: ${JSON.stringify(INITIALIZE)} });`);
    expect(opening(transcript)).toMatchObject({ opened: true });
    const answers = exchanges(transcript).filter(({ purpose }) => purpose === "answer");
    expect(answers).toHaveLength(1000);
  });
});

/** Reads requests line by line and writes `{jsonrpc, id, …answer(request)}`. */
const SCRIPTED = `
const serve = (answer) => require("node:readline").createInterface(process.stdin).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.id === undefined) return;
  console.log(JSON.stringify({ jsonrpc: "2.0", id: message.id, ...answer(message) }));
});`;
