import { describe, expect, test } from "vitest";
import { httpTranscript, stdioTranscript } from "../testing/transcripts.ts";
import { bytesOf } from "../transcript/body.ts";
import type { Event, Purpose } from "../transcript/schema.ts";
import { bodyText, errorOf, exchanges, resultOf } from "./exchanges.ts";

/** Exchanges of a conversation over a pipe, made of these events alone. */
const read = (...events: Event[]) => exchanges({ ...stdioTranscript(), events });

const sent = (exchange: number, message: object, purpose: Purpose = "list"): Event => ({
  type: "sent",
  at: exchange,
  exchange,
  purpose,
  replies: "stdout",
  data: bytesOf(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`),
});
const ask = (id: number | string, exchange = Number(id)) =>
  sent(exchange, { id, method: "x/list" });
const line = (json: unknown, at = 20): Event => ({
  type: "received",
  at,
  channel: "stdout",
  data: bytesOf(`${JSON.stringify(json)}\n`),
});
const timedOut = (exchange: number): Event => ({
  type: "timed-out",
  at: 15,
  exchange,
  after: 10,
});
const exited: Event = { type: "exited", at: 30, code: 0, signal: null };

const response = (id: unknown, result: unknown = {}) => ({ jsonrpc: "2.0", id, result });
const refusal = (id: unknown) => ({ jsonrpc: "2.0", id, error: { code: 1, message: "no" } });

describe("the reply to a request is", () => {
  test.each<[string, readonly unknown[], json: unknown, exact: boolean]>([
    ["the answer with its id", [response(1)], response(1), true],
    ["an error with its id", [refusal(1)], refusal(1), true],
    ["the exact one, before a candidate", [response(1), response(9)], response(1), true],
    ["the exact one, behind a candidate", [response(9), response(1)], response(1), true],
    [
      "the first of two exact ones",
      [response(1, { a: 1 }), response(1)],
      response(1, { a: 1 }),
      true,
    ],
    ["one with a wrong id, when it is alone", [response(9)], response(9), false],
    ["one with the id as text", [response("1")], response("1"), false],
    ["one with the id null", [refusal(null)], refusal(null), false],
    ["one without jsonrpc", [{ id: 1, result: {} }], { id: 1, result: {} }, false],
    ["a member of a batch", [[{ x: 1 }, response(1)]], response(1), true],
    [
      "the answer behind log records and notifications",
      [{ id: 1, result: "ok", level: "info" }, { jsonrpc: "2.0", method: "n" }, response(1)],
      response(1),
      true,
    ],
  ])("%s", (_, answers, json, exact) => {
    const [exchange] = read(ask(1), ...answers.map((answer) => line(answer)));
    expect(exchange!.reply).toMatchObject({ json, exact });
    expect([exchange!.late, exchange!.end]).toEqual([undefined, undefined]);
  });
});

describe("no reply to a request is", () => {
  test.each<[string, readonly unknown[]]>([
    ["a log record with its id and a result", [{ id: 1, result: "ok", level: "info" }]],
    ["a request of the server with the same id", [{ jsonrpc: "2.0", id: 1, method: "ping" }]],
    ["a message with a method and a result", [{ ...response(1), method: "x/list" }]],
    ["an answer without result and error", [{ jsonrpc: "2.0", id: 1 }]],
    ["an inherited result", [JSON.parse('{"id":1,"__proto__":{"result":{}}}')]],
    ["either of two with a wrong id", [response(8), response(9)]],
    ["an empty batch", [[]]],
    ["a text", ["result"]],
    ["null", [null]],
  ])("%s", (_, answers) => {
    const [exchange] = read(ask(1), ...answers.map((answer) => line(answer)), exited);
    expect(exchange).toMatchObject({ reply: undefined, late: undefined, end: { type: "exited" } });
  });

  test("an answer that came before the request", () => {
    expect(read(line(response(1)), ask(1))[0]!.reply).toBeUndefined();
  });
});

describe("an answer after we gave up", () => {
  test("is late, and no reply", () => {
    const [exchange] = read(ask(1), timedOut(1), line(response(1)));
    expect(exchange).toMatchObject({
      reply: undefined,
      late: { json: response(1), ref: 2 },
      end: { type: "timed-out", ref: 1 },
    });
  });

  test("with a wrong id belongs to nobody", () => {
    const [exchange] = read(ask(1), timedOut(1), line(response(9)));
    expect(exchange).toMatchObject({ reply: undefined, late: undefined });
  });

  test("is not the reply of the next request, which may still have a faulty one", () => {
    const [first, second] = read(ask(1), timedOut(1), ask(2), line(response(1)), line(response(9)));
    expect(first!.late?.json).toEqual(response(1));
    expect(second!.reply).toMatchObject({ json: response(9), exact: false });
  });
});

describe("of two requests in flight", () => {
  test("each has the answer with its id, in any order", () => {
    const both = read(ask(1), ask(2), line(response(2)), line(response(1)));
    expect(both.map(({ reply }) => reply?.ref)).toEqual([3, 2]);
  });

  test("the first has no claim to a wrong id that came when it was no longer alone", () => {
    const [first, second] = read(ask(1), ask(2), line(response(9)), line(response(2)));
    expect(first!.reply).toBeUndefined();
    expect(second!.reply).toMatchObject({ json: response(2), exact: true });
  });

  test("a batch answers both", () => {
    const both = read(ask(1), ask(2), line([response(2, { b: 2 }), response(1, { a: 1 })]));
    expect(both.map(resultOf)).toEqual([{ a: 1 }, { b: 2 }]);
  });
});

describe("what we send without asking has no reply:", () => {
  test.each<[string, object, Purpose]>([
    ["our answer, whose id is the server's", { id: 1, result: {} }, "answer"],
    ["our refusal", { id: 1, error: { code: -32601, message: "no" } }, "answer"],
    ["a notification", { method: "notifications/initialized" }, "initialized"],
  ])("%s", (_, message, purpose) => {
    const [exchange] = read(sent(1, message, purpose), line(response(1)));
    expect(exchange).toMatchObject({ reply: undefined, late: undefined });
  });

  test("and it does not end the time in which a request is alone", () => {
    const [request] = read(ask(1), sent(2, { id: 7, result: {} }, "answer"), line(response(9)));
    expect(request!.reply).toMatchObject({ exact: false, json: response(9) });
  });
});

test("results and errors are read only where they are objects", () => {
  const [bad, good] = read(ask(1), line(response(1, [])), ask(2), line(refusal(2)));
  expect([resultOf(bad), errorOf(bad)]).toEqual([undefined, undefined]);
  expect(errorOf(good)).toEqual({ code: 1, message: "no", data: undefined });
  expect([resultOf(undefined), errorOf(undefined)]).toEqual([undefined, undefined]);
});

test("a record that somebody made up is read without trust", () => {
  const broken: Event = { ...(ask(1) as Event & { type: "sent" }), data: bytesOf("{") };
  const [exchange] = read(broken, line(response(1)));
  expect(exchange).toMatchObject({ method: undefined, id: undefined, reply: undefined });
});

describe("the text of a body", () => {
  const [opening] = exchanges(httpTranscript());
  const cut = (bytes: Uint8Array, size: number): Event[] =>
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => {
      const data = Uint8Array.from(bytes.subarray(index * size, (index + 1) * size));
      return { type: "received", at: 1, channel: 1, data };
    });

  test.each([1, 2, 3, 100_000])("is the same when it comes %i bytes at a time", (size) => {
    const text = "é€😀".repeat(2000);
    expect(bodyText(cut(bytesOf(text), size), opening!)).toBe(text.slice(0, 4096));
    expect(bodyText(cut(bytesOf("no €"), size), opening!)).toBe("no €");
  });
});

test.each(["a\ud800", "x".repeat(100), "a b", ""])(
  "what cannot be a method of ours is none: %j",
  (method) => {
    const [exchange] = read(sent(1, { id: 1, method }));
    expect(exchange?.method).toBeUndefined();
  },
);
