import { describe, expect, test } from "vitest";
import { httpTranscript } from "../testing/transcripts.ts";
import { bytesOf } from "../transcript/body.ts";
import type { Event, EventOf, Transcript } from "../transcript/schema.ts";
import { envelopes } from "./envelopes.ts";
import { exchanges, resultOf } from "./exchanges.ts";
import { gateOf } from "./gates.ts";
import { evidenceOf } from "./no-reply.ts";

const RESULT = '{"jsonrpc":"2.0","id":1,"result":{"ok":true}}';
const STRAY = '{"jsonrpc":"2.0","id":1,"result":{"stray":true}}';

const healthy = httpTranscript({ requests: [] });
const sent = healthy.events.find((event) => event.type === "sent") as EventOf<"sent">;

const leaves = (exchange: number, how: Partial<EventOf<"sent">> = {}): Event => ({
  ...sent,
  exchange,
  replies: exchange,
  ...(exchange > 1 && { continues: 1 }),
  ...how,
});
const resumes = (exchange: number) => leaves(exchange, { purpose: "resume", data: bytesOf("") });
const answers = (exchange: number, status: number, body: string, type = "application/json") =>
  [
    { type: "responded", at: 20, exchange, status, headers: [["content-type", type]] },
    { type: "received", at: 20, channel: exchange, data: bytesOf(body) },
    { type: "ended", at: 20, channel: exchange },
  ] satisfies Event[];
const streams = (exchange: number, ...data: readonly string[]) =>
  answers(exchange, 200, data.map((text) => `data: ${text}\n\n`).join(""), "text/event-stream");

const record = (...events: readonly Event[]): Transcript => ({ ...healthy, events: [...events] });
const only = (transcript: Transcript) => {
  const all = exchanges(transcript);
  expect(all).toHaveLength(1);
  return all[0]!;
};

describe("one message that left several times is one exchange", () => {
  test("whose answer is that of the last hop, although a redirect said something too", () => {
    const transcript = record(
      leaves(1),
      ...answers(1, 307, STRAY),
      leaves(2),
      ...answers(2, 200, RESULT),
    );
    const exchange = only(transcript);
    expect(exchange).toMatchObject({ number: 1, response: { status: 200 }, end: undefined });
    expect(resultOf(exchange)).toEqual({ ok: true });
    expect(evidenceOf(exchange)).toEqual([0, 1, 4, 5, 7]);
    expect(envelopes(transcript)).toMatchObject({ read: 1, faults: [] });
  });

  test("that is not gated when the repetition was let through", () => {
    const exchange = only(
      record(leaves(1), ...answers(1, 429, ""), leaves(2), ...answers(2, 200, RESULT)),
    );
    expect(gateOf(exchange)).toBeUndefined();
    expect(exchange.reply).toMatchObject({ exact: true });
  });

  test("that is gated when it was refused again", () => {
    const exchange = only(
      record(leaves(1), ...answers(1, 429, ""), leaves(2), ...answers(2, 429, "")),
    );
    expect(gateOf(exchange)).toMatchObject({ reason: "rate-limited" });
  });

  test("that goes on while the next hop has no end", () => {
    const exchange = only(record(leaves(1), ...answers(1, 307, ""), leaves(2)));
    expect(exchange).toMatchObject({ end: undefined, response: undefined });
  });

  test("that ends with the deadline of the first hop", () => {
    const timedOut: Event = { type: "timed-out", at: 99, exchange: 1, after: 90 };
    const exchange = only(record(leaves(1), ...answers(1, 307, ""), leaves(2), timedOut));
    expect(exchange.end).toMatchObject({ type: "timed-out" });
  });
});

describe("a resumed stream", () => {
  test("holds the answer, and messages of both parts are the server's", () => {
    const note = '{"jsonrpc":"2.0","method":"notifications/message"}';
    const transcript = record(
      leaves(1),
      ...streams(1, note),
      resumes(2),
      ...streams(2, note, RESULT),
    );
    const exchange = only(transcript);
    expect(exchange.reply).toMatchObject({ exact: true, message: { channel: 2 } });
    expect(envelopes(transcript)).toMatchObject({ read: 3, faults: [] });
  });

  test("with a wrong id is charged to the envelope, tied to its request", () => {
    const transcript = record(
      leaves(1),
      ...streams(1),
      resumes(2),
      ...streams(2, RESULT.replace('"id":1', '"id":"1"')),
    );
    expect(only(transcript).reply).toMatchObject({ exact: false });
    expect(envelopes(transcript).faults).toMatchObject([{ reason: "id-mismatch" }]);
  });

  test("that is refused answers nothing, whatever its error page looks like", () => {
    const page = '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no stream"}}';
    const exchange = only(record(leaves(1), ...streams(1), resumes(2), ...answers(2, 405, page)));
    expect(exchange).toMatchObject({ reply: undefined, response: { status: 200 } });
    expect(exchange.end).toMatchObject({ type: "ended", channel: 2 });
  });
});

test("a body that came encoded is read as decoded, and its own bytes are no message", () => {
  const exchange = only(
    record(
      leaves(1),
      {
        type: "responded",
        at: 20,
        exchange: 1,
        status: 200,
        headers: [
          ["content-type", "application/json"],
          ["Content-Encoding", "GZIP"],
        ],
      },
      { type: "received", at: 20, channel: 1, data: bytesOf(STRAY) },
      { type: "decoded", at: 20, channel: 1, data: bytesOf(RESULT) },
      { type: "ended", at: 20, channel: 1 },
    ),
  );
  expect(exchange.messages.map(({ text }) => text)).toEqual([RESULT]);
});
