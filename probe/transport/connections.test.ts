/** What happens to connections beneath HTTP: closed while idle, misdirected, interim answers, odd heads. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import initialize from "../checks/L0.initialize.ts";
import { inShort, probeAndJudge, serve } from "../testing/judged.ts";
import { answerHealthily, healthyAnswer } from "../testing/servers/http.ts";
import { INITIALIZE } from "../testing/transcripts.ts";
import { exchanges } from "../views/exchanges.ts";
import { eventsOf } from "../views/view.ts";

/** A server that speaks HTTP by hand: `answer` gets each body and writes whatever it likes. */
async function serveByHand(answer: (message: Record<string, unknown>, socket: Socket) => void) {
  const server = createServer((socket) => {
    let text = "";
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      text += bytes.toString();
      for (;;) {
        const head = text.indexOf("\r\n\r\n");
        const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
        if (head < 0 || text.length < head + 4 + length) return;
        const body = text.slice(head + 4, head + 4 + length);
        text = text.slice(head + 4 + length);
        answer(body === "" ? {} : (JSON.parse(body) as Record<string, unknown>), socket);
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const RESULT = JSON.stringify({ jsonrpc: "2.0", id: 1, result: INITIALIZE });
const JSON_HEAD = "content-type: application/json\r\n";
const whole = (text: string) => `content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;

describe("an opening passes although the server", () => {
  test.each([
    [
      "sends 100 Continue unasked",
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n${JSON_HEAD}${whole(RESULT)}`,
    ],
    [
      "sends early hints, twice",
      `${"HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n".repeat(2)}HTTP/1.1 200 OK\r\n${JSON_HEAD}${whole(RESULT)}`,
    ],
    [
      "answers by HTTP/1.0, up to the end of the connection",
      `HTTP/1.0 200 OK\r\n${JSON_HEAD}\r\n${RESULT}`,
    ],
    ["names no content type", `HTTP/1.1 200 OK\r\n${whole(RESULT)}`],
    [
      "names another content type",
      `HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n${whole(RESULT)}`,
    ],
    [
      "sends events as plain text",
      `HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n${whole(`data: ${RESULT}\n\n`)}`,
    ],
    [
      "sends chunks with extensions, and trailers",
      `HTTP/1.1 200 OK\r\n${JSON_HEAD}transfer-encoding: chunked\r\n\r\n${RESULT.length.toString(16)};a=b;c="d"\r\n${RESULT}\r\n0\r\nx-trailer: 1\r\n\r\n`,
    ],
    [
      "repeats its headers",
      `HTTP/1.1 200 OK\r\n${JSON_HEAD}content-type: text/html\r\nset-cookie: a\r\nset-cookie: b\r\n${whole(RESULT)}`,
    ],
    [
      "has a head of 50 KiB",
      `HTTP/1.1 200 OK\r\n${JSON_HEAD}x-large: ${"x".repeat(50_000)}\r\n${whole(RESULT)}`,
    ],
    [
      "answers by 202",
      `HTTP/1.1 202 Accepted\r\ncontent-type: text/event-stream\r\n${whole(`data: ${RESULT}\n\n`)}`,
    ],
    [
      "names a character set as its encoding",
      `HTTP/1.1 200 OK\r\n${JSON_HEAD}content-encoding: utf-8\r\n${whole(RESULT)}`,
    ],
  ])("%s", async (_, answer) => {
    const url = await serveByHand((_message, socket) => socket.end(answer));
    const { failed, outcomes } = await probeAndJudge(url, { kind: "liveness" });
    expect(failed).toEqual([]);
    expect(outcomes.get("L0.capabilities")).toBe("passed");
  });

  test("answers before it has read the request", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => {});
      socket.end(`HTTP/1.1 200 OK\r\n${JSON_HEAD}${whole(RESULT)}`);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const { failed } = await probeAndJudge(url, { kind: "liveness" });
    expect(failed).toEqual([]);
  });
});

describe("an opening fails, and nothing else happens, when the server", () => {
  test.each<[string, string, string, string]>([
    [
      "sends a head without end",
      `HTTP/1.1 200 OK\r\nx-large: ${"x".repeat(100_000)}`,
      "size-cap",
      "sent more than 64 KiB before the body of its response",
    ],
    [
      "sends no HTTP",
      "SSH-2.0-OpenSSH_9.9\r\n",
      "closed-without-response",
      'sent what is no HTTP ("HPE_INVALID_CONSTANT")',
    ],
    [
      "ends the lines of its head with line feeds alone",
      `HTTP/1.1 200 OK\n${JSON_HEAD}\n`,
      "closed-without-response",
      "sent what is no HTTP",
    ],
    [
      "switches protocols",
      "HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n",
      "closed-without-response",
      "EPROTO",
    ],
    [
      "sends less than it announced",
      `HTTP/1.1 200 OK\r\n${JSON_HEAD}content-length: 999\r\n\r\n${RESULT}`,
      "closed-without-response",
      "ECONNRESET",
    ],
    ["ends at once", "", "closed-without-response", "ECONNRESET"],
    [
      "answers 204 with a body",
      `HTTP/1.1 204 No Content\r\n${JSON_HEAD}\r\n${RESULT}`,
      "closed-without-response",
      "HTTP 204",
    ],
  ])("%s", async (_, answer, reason, words) => {
    let requests = 0;
    const url = await serveByHand((_message, socket) => {
      requests += 1;
      socket.end(answer);
    });
    const { transcript } = await probeAndJudge(url, { kind: "liveness", era: "legacy" });
    expect(initialize.run(transcript)).toMatchObject({
      outcome: "failed",
      reason,
      because: expect.stringContaining(words),
    });
    expect(requests).toBe(1);
  });
});

test("a body that comes with 202 to a notification holds nothing up", async () => {
  const url = await serveByHand((message, socket) => {
    const answer = JSON.stringify(healthyAnswer(message) ?? "ok");
    const status = message["id"] === undefined ? "202 Accepted" : "200 OK";
    socket.write(`HTTP/1.1 ${status}\r\n${JSON_HEAD}${whole(answer)}`);
  });
  const { failed } = await probeAndJudge(url);
  expect(failed).toEqual([]);
});

describe("a kept-alive connection that the server closed", () => {
  test("is no fault: the request leaves once more, and both times are on record", async () => {
    const server = await serve((one, response, all) => {
      const before = all.filter((other) => other.connection === one.connection).length - 1;
      // Closed just as a further request arrives: not a byte of an answer.
      if (before > 0) response.socket!.destroy();
      else answerHealthily(one, response);
    });
    const { transcript, failed, outcomes } = await probeAndJudge(`${server.origin}/mcp`);
    expect(failed).toEqual([]);
    expect(outcomes.get("L1.unknown_method")).toBe("passed");
    const repeated = exchanges(transcript).filter(({ hops }) => hops.length > 1);
    expect(repeated.length).toBeGreaterThan(0);
    const faults = eventsOf(transcript.events, "broke");
    expect(faults.map(({ exchange }) => exchange)).toEqual(
      repeated.map(({ hops }) => hops[0].sent.exchange),
    );
    for (const { hops, number } of repeated) expect(hops[1]!.sent.continues).toBe(number);
  });

  test("is a fault when part of an answer had come", async () => {
    const server = await serve((one, response) => {
      if (one.message["method"] !== "tools/list") return answerHealthily(one, response);
      response.socket!.write("HTTP/1.1 200");
      response.socket!.end();
    });
    const { failed } = await probeAndJudge(`${server.origin}/mcp`);
    expect(failed).toEqual(["L1.tools_list"]);
    expect(inShort(server.arrived).filter((line) => line.includes("tools/list"))).toHaveLength(1);
  });

  test("is a fault on a fresh connection too", async () => {
    const server = await serve((one, response) => {
      if (one.message["method"] === "tools/list") response.socket!.destroy();
      else answerHealthily(one, response);
    });
    const { failed } = await probeAndJudge(`${server.origin}/mcp`);
    expect(failed).toEqual(["L1.tools_list"]);
    expect(
      inShort(server.arrived).filter((line) => line.includes("tools/list")).length,
    ).toBeLessThan(3);
  });
});

describe("421 Misdirected Request", () => {
  test("is asked again once, on a fresh connection", async () => {
    const server = await serve((one, response) => {
      if (one.connection === 1) response.writeHead(421).end("Misdirected");
      else answerHealthily(one, response);
    });
    const { failed, transcript } = await probeAndJudge(`${server.origin}/mcp`);
    expect(failed).toEqual([]);
    expect(exchanges(transcript)[0]!.hops.map(({ response }) => response?.status)).toEqual([
      421, 200,
    ]);
  });

  test("is a failure when it comes again", async () => {
    const server = await serve((_, response) => response.writeHead(421).end("Invalid Host header"));
    const { outcomes, because } = await probeAndJudge(`${server.origin}/mcp`, { era: "legacy" });
    expect(outcomes.get("L0.initialize")).toBe("failed");
    expect(because.get("L0.initialize")).toContain("HTTP 421");
    expect(server.arrived.map(({ connection }) => connection)).toEqual([1, 2]);
  });
});
