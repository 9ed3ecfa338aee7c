/** The call for which whoever records vouches. */
import { tmpdir } from "node:os";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../clock.ts";
import { record, type RecordOptions } from "../record.ts";
import { inShort, probeAndJudge, serve } from "../testing/judged.ts";
import { answerHealthily, healthyAnswer } from "../testing/servers/http.ts";
import { type Asked, type Reply, serveMcp } from "../testing/servers/mcp.ts";
import { DISCOVER, INITIALIZE, remoteTarget } from "../testing/transcripts.ts";
import { exchanges } from "../views/exchanges.ts";

const CALL = { name: "get_word", arguments: { kind: "noun" } };
const RESULT = { content: [{ type: "text", text: "word" }] };

async function talkTo(answer: (asked: Asked) => Reply | undefined, options: RecordOptions = {}) {
  const server = await serveMcp(answer);
  onTestFinished(() => server.stop());
  const all = { allowLoopback: true, call: CALL, ...options };
  const transcript = await record(remoteTarget(server.url), all);
  const calls = server.asked.filter(({ method }) => method === "tools/call");
  return { transcript, calls, methods: server.asked.map(({ http, method }) => method ?? http) };
}

const answering = ({ method }: Asked): Reply | undefined =>
  method === "tools/call" ? { result: RESULT } : undefined;
const modern = (asked: Asked): Reply | undefined =>
  asked.method === "server/discover" ? { result: DISCOVER } : answering(asked);

describe("a call", () => {
  test("comes behind the unknown method and before the goodbye", async () => {
    const { transcript, methods } = await talkTo((asked) =>
      asked.method === "initialize"
        ? {
            status: 200,
            headers: { "content-type": "application/json", "mcp-session-id": "s1" },
            body: JSON.stringify(healthyAnswer(asked.message)),
          }
        : answering(asked),
    );
    expect(methods.slice(-4)).toEqual([
      "probe/unknown-method",
      "tools/call",
      "DELETE",
      "server/discover",
    ]);
    const call = exchanges(transcript).find(({ purpose }) => purpose === "call");
    expect(call).toMatchObject({ method: "tools/call", id: 3, reply: { exact: true } });
  });

  test("carries the name and the arguments, in the legacy era in its body alone", async () => {
    const { calls } = await talkTo(answering);
    expect(calls.map(({ params }) => params)).toEqual([CALL]);
    expect(calls[0]!.headers).toMatchObject({ "mcp-protocol-version": "2025-11-25" });
    expect(calls[0]!.headers).not.toHaveProperty("mcp-name");
  });

  test.each([
    ["get_word", "get_word"],
    ["wörter", `=?base64?${Buffer.from("wörter").toString("base64")}?=`],
  ])("of %s names it in a header too in the modern era", async (name, header) => {
    const { calls } = await talkTo(modern, { era: "modern", call: { ...CALL, name } });
    expect(calls.map(({ params }) => params)).toMatchObject([{ ...CALL, name }]);
    expect(calls[0]!.headers).toMatchObject({
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": header,
    });
  });

  test("goes over a pipe as well", async () => {
    const script = `require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method } = JSON.parse(line);
      const result = method === "initialize" ? ${JSON.stringify(INITIALIZE)} : ${JSON.stringify(RESULT)};
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
    });`;
    const transcript = await record(
      { kind: "command", key: "x", argv: ["x"], environment: {}, missing: [] },
      {
        launch: {
          argv: [process.execPath, "-e", script],
          shown: ["x"],
          cwd: tmpdir(),
          environment: {},
        },
        call: CALL,
      },
    );
    expect(exchanges(transcript).at(-1)).toMatchObject({ purpose: "call", reply: { exact: true } });
  });

  test("that is never answered is waited for 30 s", async () => {
    // What waits for half a minute here waits for the call alone.
    const clock = {
      ...systemClock,
      after: (ms: number, act: () => void) => systemClock.after(ms === 30_000 ? 0 : ms, act),
    };
    const { transcript } = await talkTo(
      (asked) => (asked.method === "tools/call" ? "hang" : undefined),
      { clock },
    );
    const call = exchanges(transcript).find(({ purpose }) => purpose === "call");
    expect(call).toMatchObject({ end: { type: "timed-out", after: 30_000 } });
  });

  test.each<[string, RecordOptions, string | undefined]>([
    ["nobody vouches for one", { call: undefined }, undefined],
    ["the run does not go that far", { kind: "liveness" }, undefined],
    ["the attempt is an opening alone", { openingOnly: true }, undefined],
    ["the server asks for a login at a list", {}, "tools/list"],
    ["the server asks for a login at the unknown method", {}, "probe/unknown-method"],
  ])("is not made where %s", async (_, options, gated) => {
    const { calls, methods } = await talkTo(
      (asked) => (asked.method === gated ? { status: 401 } : answering(asked)),
      options,
    );
    expect(methods[0]).toBe("initialize");
    expect(calls).toEqual([]);
  });

  test("that meets a login ends the battery", async () => {
    const { methods } = await talkTo((asked) =>
      asked.method === "tools/call" ? { status: 401 } : undefined,
    );
    expect(methods.filter((method) => method === "tools/call")).toHaveLength(1);
    expect(methods).not.toContain("server/discover");
  });
});

describe("the stream of a call that ends before the answer", () => {
  const EVENTS = { "content-type": "text/event-stream" };

  /** Breaks the stream of the call off, by `end`, and answers on the one that resumes it. */
  async function interrupted(end: "closed" | "reset", retry: number) {
    const server = await serve((one, response) => {
      if (one.method === "GET") {
        const reply = { jsonrpc: "2.0", id: 3, result: RESULT };
        return void response.writeHead(200, EVENTS).end(`data: ${JSON.stringify(reply)}\n\n`);
      }
      if (one.message["method"] !== "tools/call") return answerHealthily(one, response);
      response.writeHead(200, EVENTS).write(`id: e-1\nretry: ${retry}\ndata: \n\n`, () => {
        if (end === "closed") response.end();
        else response.destroy();
      });
    });
    const { transcript, failed } = await probeAndJudge(`${server.origin}/mcp`, { call: CALL });
    const call = exchanges(transcript).find(({ purpose }) => purpose === "call")!;
    return { server, failed, call };
  }

  test.each(["closed", "reset"] as const)(
    "is resumed where it was %s, and the tool is called once",
    async (end) => {
      const { server, failed, call } = await interrupted(end, 0);
      const gets = server.arrived.filter(({ method }) => method === "GET");
      expect(gets.map(({ headers }) => headers["last-event-id"])).toEqual(["e-1"]);
      expect(gets[0]!.headers).toMatchObject({ "mcp-protocol-version": "2025-11-25" });
      const calls = inShort(server.arrived).filter((line) => line.endsWith("tools/call"));
      expect(calls).toHaveLength(1);
      expect(call).toMatchObject({ purpose: "call", reply: { exact: true } });
      expect(call.hops.map(({ sent }) => sent.purpose)).toEqual(["call", "resume"]);
      expect(failed).toEqual([]);
    },
  );

  test("is resumed after the pause that the server asks for, and no sooner", async () => {
    const { call } = await interrupted("closed", 400);
    const [first, second] = call.hops;
    const pause = second!.sent.at - first!.response!.at;
    expect(pause).toBeGreaterThanOrEqual(400);
    expect(pause).toBeLessThan(5000);
  });
});
