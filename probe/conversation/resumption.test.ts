import { describe, expect, test } from "vitest";
import { limit } from "../rules.ts";
import { inShort, probeAndJudge, serve } from "../testing/judged.ts";
import { type Arrived, answerHealthily, healthyAnswer } from "../testing/servers/http.ts";
import { DISCOVER } from "../testing/transcripts.ts";
import { exchanges } from "../views/exchanges.ts";

type Response = Parameters<Parameters<typeof serve>[0]>[1];

const EVENTS = { "content-type": "text/event-stream", "mcp-session-id": "s1" };

/** Opens a stream, and closes it again without the answer. */
function primed(response: Response, id: string, retry = 0): void {
  response.writeHead(200, EVENTS).end(`id: ${id}\nretry: ${retry}\ndata: \n\n`);
}

const event = (json: unknown) => `event: message\ndata: ${JSON.stringify(json)}\n\n`;

/** A server that answers each request on the resumed stream, told apart by the event id. */
function polling(resume: (asked: Arrived, response: Response, all: readonly Arrived[]) => void) {
  return serve((one, response, all) => {
    const answer = healthyAnswer(one.message);
    if (one.method === "GET") {
      const id = String(one.headers["last-event-id"]).split(":")[0];
      const asked = all.find(({ message }) => String(message["id"]) === id)!;
      resume(asked, response, all);
    } else if (one.method === "DELETE") response.writeHead(405).end();
    else if (answer) primed(response, `${String(one.message["id"])}:0`);
    else response.writeHead(202).end();
  });
}

describe("a stream that closes before the answer, after an event with an id,", () => {
  test("is resumed where it ended, and its answer is that of the request", async () => {
    const server = await polling(({ message }, response) => {
      response.writeHead(200, EVENTS).end(`: hello\n\n${event(healthyAnswer(message))}`);
    });
    const { failed, outcomes, transcript } = await probeAndJudge(`${server.origin}/mcp`);
    expect(failed).toEqual([]);
    expect(outcomes.get("L1.unknown_method")).toBe("passed");
    const gets = server.arrived.filter(({ method }) => method === "GET");
    expect(gets.map(({ headers }) => headers["last-event-id"])).toEqual(["1:0", "2:0", "p-1:0"]);
    expect(gets.map(({ headers }) => headers.accept)).toEqual(gets.map(() => "text/event-stream"));
    expect(gets.map(({ headers }) => headers["mcp-session-id"])).toEqual(gets.map(() => "s1"));
    // Before the opening is answered no version is negotiated.
    expect(gets.map(({ headers }) => headers["mcp-protocol-version"])).toEqual([
      undefined,
      "2025-11-25",
      "2025-11-25",
    ]);
    const [opening] = exchanges(transcript);
    expect(opening!.hops.map(({ sent }) => sent.purpose)).toEqual(["opening", "resume"]);
  });

  test("is resumed again until the answer is there, from the newest id", async () => {
    const server = await polling(({ message }, response, all) => {
      const gets = all.filter(({ method }) => method === "GET").length;
      if (gets < 4) primed(response, `${String(message["id"])}:${gets}`);
      else response.writeHead(200, EVENTS).end(event(healthyAnswer(message)));
    });
    const { failed } = await probeAndJudge(`${server.origin}/mcp`, { kind: "liveness" });
    expect(failed).toEqual([]);
    const gets = server.arrived.filter(({ method }) => method === "GET");
    expect(gets.map(({ headers }) => headers["last-event-id"])).toEqual([
      "1:0",
      "1:1",
      "1:2",
      "1:3",
    ]);
  });

  test("is resumed after the pause that the server asks for", async () => {
    const server = await serve((one, response) => {
      if (one.method === "GET")
        response.writeHead(200, EVENTS).end(event(healthyAnswer({ id: 1, method: "initialize" })));
      else primed(response, "a", 300);
    });
    const { facts } = await probeAndJudge(`${server.origin}/mcp`, { kind: "liveness" });
    expect((facts["latency"] as { opening: number }).opening).toBeGreaterThanOrEqual(300);
  });

  test("is also resumed when the connection broke", async () => {
    const server = await serve((one, response) => {
      if (one.method === "GET")
        response.writeHead(200, EVENTS).end(event(healthyAnswer({ id: 1, method: "initialize" })));
      else {
        response.writeHead(200, EVENTS);
        response.write("id: größe\nretry: 0\ndata: \n\n", () => response.destroy());
      }
    });
    const { failed } = await probeAndJudge(`${server.origin}/mcp`, { kind: "liveness" });
    expect(failed).toEqual([]);
    const id = String(server.arrived[1]!.headers["last-event-id"]);
    expect(Buffer.from(id, "latin1").toString()).toBe("größe");
  });

  test("is given up when resuming is refused, and the reason names the answer", async () => {
    const server = await polling((_, response) => {
      response.writeHead(405, { "content-type": "application/json" });
      response.end('{"jsonrpc":"2.0","error":{"code":-32000,"message":"no"},"id":null}');
    });
    const { because, reasons } = await probeAndJudge(`${server.origin}/mcp`, { era: "legacy" });
    expect(inShort(server.arrived)).toEqual(["POST /mcp initialize", "GET /mcp"]);
    expect(reasons.get("L0.initialize")).toBe("closed-without-response");
    expect(because.get("L0.initialize")).toContain("when it was resumed (HTTP 405)");
  });

  test("is not resumed without end", async () => {
    const server = await polling((_, response) => primed(response, "1:0"));
    const { outcomes } = await probeAndJudge(`${server.origin}/mcp`, { era: "legacy" });
    expect(outcomes.get("L0.initialize")).toBe("failed");
    const gets = server.arrived.filter(({ method }) => method === "GET");
    expect(gets).toHaveLength(limit("resumptions"));
  });
});

describe("a stream is not resumed", () => {
  test("when none of its events had an id", async () => {
    const server = await serve((_, response) =>
      response.writeHead(200, EVENTS).end("retry: 0\ndata: \n\n"),
    );
    await probeAndJudge(`${server.origin}/mcp`, { era: "legacy" });
    expect(inShort(server.arrived)).toEqual(["POST /mcp initialize"]);
  });

  test("when an id cannot stand in a header", async () => {
    const server = await serve((_, response) =>
      response.writeHead(200, EVENTS).end("id: \u0001\nretry: 0\ndata: \n\n"),
    );
    const { outcomes } = await probeAndJudge(`${server.origin}/mcp`, { era: "legacy" });
    expect(inShort(server.arrived)).toEqual(["POST /mcp initialize"]);
    expect(outcomes.get("L0.initialize")).toBe("failed");
  });

  test("in the newer era", async () => {
    const server = await serve((_, response) => primed(response, "a"));
    const { outcomes } = await probeAndJudge(`${server.origin}/mcp`, { era: "modern" });
    expect(inShort(server.arrived)).toEqual(["POST /mcp server/discover"]);
    expect(outcomes.get("L0.initialize")).toBe("failed");
  });
});

describe("202 to a request", () => {
  test("whose answer only another stream would carry is no answer", async () => {
    const server = await serve((one, response) => {
      if (one.message["method"] === "tools/list") response.writeHead(202).end();
      else answerHealthily(one, response);
    });
    const { failed, because } = await probeAndJudge(`${server.origin}/mcp`);
    expect(failed).toEqual(["L1.tools_list"]);
    expect(because.get("L1.tools_list")).toContain("only accepted the request (HTTP 202)");
    expect(inShort(server.arrived)).not.toContain("GET /mcp");
  });

  test("with the answer in its own body is one", async () => {
    const server = await serve((one, response) => {
      const answer = healthyAnswer(one.message);
      if (!answer) response.writeHead(202).end();
      else response.writeHead(202, { "content-type": "text/event-stream" }).end(event(answer));
    });
    const { failed } = await probeAndJudge(`${server.origin}/mcp`);
    expect(failed).toEqual([]);
  });
});

test("the answer counts after comments, a priming event, notifications and foreign events", async () => {
  const note = event({ jsonrpc: "2.0", method: "notifications/message", params: {} });
  const server = await serve((one, response) => {
    const answer =
      one.message["method"] === "server/discover"
        ? { jsonrpc: "2.0", id: one.message["id"], result: DISCOVER }
        : healthyAnswer(one.message);
    if (!answer) return response.writeHead(202).end();
    response.writeHead(200, EVENTS);
    response.write(`id: s:0\nretry: 3000\ndata: \n\n:hb\n\n${note}event: ping\ndata: {}\n\n`);
    // The stream stays open behind the answer.
    return response.write(`id: s:1\n${event(answer)}`);
  });
  const { failed } = await probeAndJudge(`${server.origin}/mcp`, { era: "legacy" });
  expect(failed).toEqual([]);
});
