/** Streams, documents and noise that no server ever sent, in the middle of a healthy conversation. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { bytesOf, concat } from "../../transcript/body.ts";
import type { Event, Transcript } from "../../transcript/schema.ts";
import { httpTranscript, modernTranscript, stdioTranscript } from "../transcripts.ts";
import * as hostile from "./hostile.ts";
import { fuzz, RUNS, seed } from "./run.ts";

/** All lists are declared and answered, so that the bytes of any answer can matter. */
const answers = {
  "tools/list": { result: { tools: [] } },
  "resources/list": { result: { resources: [{ uri: "a:b", name: "b" }] } },
  "prompts/list": { result: { prompts: [{ name: "b" }] } },
};
const capabilities = { tools: {}, resources: {}, prompts: {} };
const serverInfo = { name: "fixture", version: "1.0.0" };
const initialize = { result: { protocolVersion: "2025-11-25", capabilities, serverInfo } };
const legacy = httpTranscript({ answers: { ...answers, initialize } });
const piped = stdioTranscript({ answers: { ...answers, initialize } });
const modern = modernTranscript();

/** A JSON-RPC message, or what somebody took for one. */
const message = fc
  .tuple(
    fc.constantFrom('"2.0"', '"2.0"', '"2.0"', "2", '"1.0"', ""),
    fc.oneof(fc.constantFrom("1", "2", "3", "4", '"p-1"', '"1"', "null", ""), hostile.json),
    fc.subarray(["result", "error", "method", "params", "__proto__"], { maxLength: 2 }),
    fc.array(hostile.anyJson, { minLength: 2, maxLength: 2 }),
    fc.constantFrom<"one" | "batch">("one", "one", "one", "batch"),
  )
  .map(([jsonrpc, id, names, values, form]) => {
    const members = [
      ...(jsonrpc === "" ? [] : [`"jsonrpc":${jsonrpc}`]),
      ...(id === "" ? [] : [`"id":${id}`]),
      ...names.map((name, index) => `"${name}":${values[index]}`),
    ];
    const whole = `{${members.join(",")}}`;
    return form === "one" ? whole : `[${whole},${whole}]`;
  });

/** A result with the members that the checks read, each of any value. */
const result = fc
  .dictionary(
    fc.constantFrom(
      ...["protocolVersion", "capabilities", "serverInfo", "tools", "resources", "prompts"],
      ...["nextCursor", "resultType", "supportedVersions", "_meta"],
    ),
    fc.oneof(
      hostile.anyJson,
      fc.constantFrom('{"tools":{}}', '"2025-11-25"', '{"name":"a","version":"1"}'),
      fc
        .array(
          fc
            .tuple(hostile.json, hostile.anyJson, hostile.json)
            .map(
              ([name, schema, hints]) =>
                `{"name":${name},"uri":${name},"inputSchema":${schema},"annotations":${hints}}`,
            ),
          { maxLength: 4 },
        )
        .map((tools) => `[${tools.join(",")}]`),
    ),
  )
  .chain((members) =>
    fc.constantFrom("1", "2", "3", "4", '"p-1"').map((id) => {
      const inside = Object.entries(members).map(([name, value]) => `"${name}":${value}`);
      return `{"jsonrpc":"2.0","id":${id},"result":{${inside.join(",")}}}`;
    }),
  );

const document = fc.oneof(
  { arbitrary: result, weight: 4 },
  { arbitrary: message, weight: 4 },
  { arbitrary: hostile.anyJson, weight: 2 },
  { arbitrary: fc.json({ stringUnit: "binary" }), weight: 1 },
);

const lineEnd = fc.constantFrom("\n", "\r\n", "\r", "\n\n", "\r\n\r\n", "\r\r", "");
const field = fc.oneof(
  fc.tuple(fc.constantFrom("data: ", "data:", "data"), document).map(([name, data]) => name + data),
  fc.constantFrom(
    ...["event: message", "event: endpoint", "event:", "event: x", "id: 1", "id: \0", "id"],
    ...[
      "retry: 10",
      "retry: -1",
      "retry: 1e9",
      ": ping",
      "",
      "\uFEFF",
      "data: a",
      "x: y",
      "data:  ",
    ],
  ),
);
const eventStream = fc
  .array(
    fc.oneof(
      fc.tuple(field, lineEnd).map(([a, b]) => bytesOf(a + b)),
      hostile.bytes,
    ),
    {
      maxLength: 12,
    },
  )
  .map(concat);

const documentBytes = fc
  .tuple(
    fc.constantFrom("", "", "", "\uFEFF", "\uFEFF\uFEFF", " \n"),
    document,
    fc.option(hostile.bytes, { freq: 5 }),
    fc.constantFrom("", "", "\n", "\0", "}"),
  )
  .map(([before, text, inside, after]) =>
    concat([bytesOf(before + text), inside ?? new Uint8Array(), bytesOf(after)]),
  );

/** The conversation with another body in the answer to one request, or to several. */
function withBodies(
  transcript: Transcript,
  bodies: readonly { which: number; type: string | undefined; status: number; data: Uint8Array }[],
): Transcript {
  const numbers = transcript.events.flatMap((event) =>
    event.type === "sent" ? event.exchange : [],
  );
  let events: readonly Event[] = transcript.events;
  for (const { which, type, status, data } of bodies) {
    const number = numbers[which % numbers.length];
    events = events.flatMap((event): Event[] => {
      if (event.type === "received" && event.channel === number) return [];
      if (event.type !== "responded" || event.exchange !== number) return [event];
      const headers: [string, string][] = type === undefined ? [] : [["Content-Type", type]];
      const body = { type: "received", at: event.at, channel: number, data } as Event;
      return [{ ...event, status, headers }, body];
    });
  }
  return { ...transcript, events: [...events] };
}

const answered = (data: fc.Arbitrary<Uint8Array>, types: readonly (string | undefined)[]) =>
  fc
    .tuple(
      fc.constantFrom(legacy, legacy, modern),
      fc.array(
        fc.record({
          which: fc.nat(20),
          type: fc.constantFrom(...types),
          status: fc.oneof(fc.constant(200), fc.constant(200), hostile.status),
          data,
        }),
        { minLength: 1, maxLength: 3 },
      ),
    )
    .map(([transcript, bodies]) => withBodies(transcript, bodies));

const noise = fc
  .array(
    fc.record({
      at: fc.nat(100),
      channel: fc.constantFrom<"stdout" | "stderr">("stdout", "stdout", "stderr"),
      data: fc
        .tuple(fc.oneof(hostile.bytes, document.map(bytesOf)), lineEnd)
        .map(([data, end]) => concat([data, bytesOf(end)])),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((pieces): Transcript => {
    const events = [...piped.events];
    for (const { at, channel, data } of pieces) {
      const place = at % (events.length + 1);
      events.splice(place, 0, { type: "received", at: events[place - 1]?.at ?? 0, channel, data });
    }
    return { ...piped, events };
  });

const again = `(PROBITY_FUZZ_SEED=${seed})`;

test(`any stream of events is judged soundly ${again}`, () => {
  return fuzz(
    "events",
    answered(eventStream, ["text/event-stream", "text/event-stream", undefined]),
  );
}, 300_000);

test(`any JSON document is judged soundly ${again}`, () => {
  return fuzz(
    "documents",
    answered(documentBytes, ["application/json", "application/json", undefined]),
  );
}, 300_000);

test(`any noise on a pipe is judged soundly ${again}`, () => {
  return fuzz("noise", noise);
}, 300_000);

test("20,000 records and more are judged, each kind counted where it ran", () => {
  expect(Object.values(RUNS).reduce((sum, runs) => sum + runs, 0)).toBeGreaterThanOrEqual(20_000);
});
