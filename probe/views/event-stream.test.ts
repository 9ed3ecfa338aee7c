/** How transcripts of HTTP+SSE are read: what answers what, and what a fault is called. */
import { describe, expect, test } from "vitest";
import { checks } from "../checks/index.ts";
import { evaluate } from "../evaluate.ts";
import { INITIALIZE, sseTranscript } from "../testing/transcripts.ts";
import { bytesOf } from "../transcript/body.ts";
import type { Event, Transcript } from "../transcript/schema.ts";
import { endpointsIn } from "./event-stream.ts";
import { exchanges } from "./exchanges.ts";
import { insteadOf } from "./no-reply.ts";
import { opening } from "./opening.ts";

const complaints = (transcript: Transcript) =>
  evaluate(transcript, { checks, facts: [] })
    .checks.filter(({ outcome }) => outcome !== "passed" && outcome !== "inapplicable")
    .map(({ check, reason }) => [check, reason]);

/** A transcript with more events at its end. */
const withMore = (transcript: Transcript, ...events: Event[]): Transcript => ({
  ...transcript,
  events: [...transcript.events, ...events],
});

test("a healthy conversation passes every check", () => {
  expect(complaints(sseTranscript())).toEqual([]);
});

test("replies are found on the stream, by id, and the ends of the POSTs end nothing", () => {
  const all = exchanges(sseTranscript());
  expect(all.map(({ method, reply, end }) => [method, reply?.exact, end?.type])).toEqual([
    [undefined, undefined, undefined],
    ["initialize", true, undefined],
    // Nobody answers a notification, so the end of its POST is its end.
    ["notifications/initialized", undefined, "ended"],
    ["tools/list", true, undefined],
    ["probe/unknown-method", true, undefined],
  ]);
});

describe("a stream that is of no use says why", () => {
  test.each<[string, Parameters<typeof sseTranscript>[0], reason: string, words: string]>([
    [
      "another origin",
      { stream: { raw: "event: endpoint\ndata: //evil.example/x\n\n", useless: true } },
      "endpoint-cross-origin",
      '"//evil.example/x"',
    ],
    [
      "no endpoint in time",
      { stream: { raw: ": hi\n\n", end: { timedOut: 10_000 }, useless: true } },
      "timeout",
      "no endpoint on its event stream within 10 s",
    ],
    [
      "no answer in time",
      { stream: { raw: "", end: { timedOut: 10_000 }, useless: true } },
      "timeout",
      "did not answer within 10 s",
    ],
    [
      "no endpoint at all",
      { stream: { raw: "data: {}\n\n", end: "ended", useless: true } },
      "no-endpoint",
      "without an endpoint event",
    ],
    [
      "an event with that name and no data",
      { stream: { raw: "event: endpoint\ndata:\n\n", end: "ended", useless: true } },
      "no-endpoint",
      "without an endpoint event",
    ],
    [
      "a broken connection",
      { stream: { raw: "", end: { broke: "ECONNRESET" }, useless: true } },
      "closed-without-response",
      '"ECONNRESET"',
    ],
    [
      "a page",
      {
        stream: {
          raw: "<p>",
          headers: { "content-type": "text/html" },
          end: "ended",
          useless: true,
        },
      },
      "no-event-stream",
      '"text/html"',
    ],
    [
      "an event that never ends",
      { stream: { raw: "data: x", end: "capped", useless: true } },
      "size-cap",
      "as one message",
    ],
    ["our own end", { stream: { raw: ": hi\n\n", useless: true } }, "probe-failed", "any longer"],
  ])("%s", (_, difference, reason, words) => {
    const transcript = sseTranscript(difference!);
    const { exchange } = opening(transcript);
    expect(exchange!.purpose).toBe("stream");
    const failure = insteadOf(transcript, exchange!);
    expect(failure.reason).toBe(reason);
    expect(failure.words).toContain(words);
    expect(complaints(transcript)[0]).toEqual(["L0.initialize", reason]);
  });
});

test("an endpoint that a refusal carries is none", () => {
  const transcript = sseTranscript({ stream: { status: 404, end: "ended", useless: true } });
  expect(endpointsIn(opening(transcript).exchange!)).toEqual([]);
  expect(complaints(transcript)[0]).toEqual(["L0.initialize", "http-status"]);
});

describe("what stands in the answer to a POST", () => {
  const body = (text: string): Event => ({
    type: "received",
    at: 900,
    channel: 4,
    data: bytesOf(text),
  });
  const ended: Event = { type: "ended", at: 901, channel: 4 };
  const healthy = sseTranscript();
  /** The list's POST is the fourth exchange; its acknowledgement becomes this text. */
  const acknowledged = (text: string): Transcript => ({
    ...healthy,
    events: healthy.events.flatMap((event): Event[] => {
      if (event.type === "received" && event.channel === 4) return [body(text)];
      if (event.type === "ended" && event.channel === 4) return [ended];
      if (event.type !== "responded" || event.exchange !== 4) return [event];
      return [{ ...event, headers: [["content-type", "application/json"]] }];
    }),
  });

  test.each<[string, string, string[][]]>([
    ["is nobody's to read when it is no response", '{"ok":true}', []],
    ["is nobody's to read when it is no JSON", "{", []],
    ["may repeat the reply", '{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}', []],
    [
      "is a fault when it is a response to nothing",
      '{"jsonrpc":"2.0","id":77,"result":{}}',
      [["L1.envelope", "id-mismatch"]],
    ],
  ])("%s", (_, text, expected) => {
    expect(complaints(acknowledged(text))).toEqual(expected);
  });
});

test("a second reply on the stream is one too many", () => {
  const again = JSON.stringify({ jsonrpc: "2.0", id: 1, result: INITIALIZE });
  const data = bytesOf(`data: ${again}\n\n`);
  const transcript = withMore(sseTranscript(), { type: "received", at: 900, channel: 1, data });
  expect(complaints(transcript)).toEqual([["L1.envelope", "second-response"]]);
});
