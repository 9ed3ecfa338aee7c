import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { httpTranscript, packageTranscript, stdioTranscript } from "../testing/transcripts.ts";
import { bytesOf } from "../transcript/body.ts";
import type { Channel, Event, Transcript } from "../transcript/schema.ts";
import { type Ref, decodeTranscript, encodeTranscript, refsOf } from "./codec.ts";
import { StoredTranscript } from "./schema.ts";

const complain = (problem: string): never => {
  throw new Error(problem);
};

/** Encodes, goes through JSON and the schema, and decodes. */
function roundTrip(transcript: Transcript) {
  const bodies = new Map<string, Uint8Array<ArrayBuffer>>();
  const stored = encodeTranscript(transcript, (digest, bytes) => {
    bodies.set(digest, Uint8Array.from(bytes));
    return digest;
  });
  const json = StoredTranscript.parse(JSON.parse(JSON.stringify(stored)));
  const decoded = decodeTranscript(json, (ref: Ref) => bodies.get(ref.sha256)!, complain);
  return { stored: json, bodies, decoded };
}

test.each([
  ["HTTP", httpTranscript()],
  ["stdio", stdioTranscript({ noise: "banner\n\n" })],
  ["stdio with a package", packageTranscript()],
  ["nothing, for want of a package", packageTranscript({ fault: { code: "E404", message: "" } })],
])("a conversation over %s comes back as it was recorded", (_, transcript) => {
  expect(roundTrip(transcript).decoded).toEqual(transcript);
});

test("what was decoded comes back beside the bytes it was decoded from, and what continues does", () => {
  const healthy = httpTranscript();
  const sent = healthy.events.find((event) => event.type === "sent")!;
  const events: Event[] = [
    { ...sent, exchange: 2, continues: 1, replies: 2, purpose: "resume" },
    { type: "received", at: 1, channel: 2, data: Uint8Array.of(0x1f, 0x8b) },
    { type: "decoded", at: 1, channel: 2, data: bytesOf("x".repeat(100)) },
    { type: "decoded", at: 1, channel: 2, data: bytesOf("y") },
  ];
  const { decoded, stored } = roundTrip({ ...healthy, events });
  expect(decoded).toEqual({ ...healthy, events });
  expect(refsOf(stored)).toHaveLength(2);
});

test("any bytes, cut anywhere, over any channels come back as they were received", () => {
  const channel = fc.constantFrom<Channel>(1, 2, "stdout", "stderr");
  const received = fc.record({ channel, data: fc.uint8Array({ maxLength: 200 }) });
  fc.assert(
    fc.property(fc.array(received, { maxLength: 20 }), (parts) => {
      const events = parts.map(({ channel: name, data }, at): Event => {
        return { type: "received", at, channel: name, data: Uint8Array.from(data) };
      });
      const transcript = { ...httpTranscript(), events };
      expect(roundTrip(transcript).decoded).toEqual(transcript);
    }),
  );
});

describe("what is stored", () => {
  const line = (text: string): Event => ({
    type: "received",
    at: 1,
    channel: "stdout",
    data: bytesOf(text),
  });
  const long = (letter: string) => `${letter.repeat(100)}\n`;

  test("is cut at the lines of a pipe, so that a line that repeats is stored once", () => {
    const events = [
      line(long("a").slice(0, 50)),
      line(long("a").slice(50) + long("b") + long("a")),
    ];
    const { stored, bodies } = roundTrip({ ...stdioTranscript(), events });
    expect(bodies.size).toBe(2);
    expect(refsOf(stored)).toHaveLength(3);
  });

  test("stands inline when it is short", () => {
    const { stored, bodies } = roundTrip({ ...stdioTranscript(), events: [line("short\n")] });
    expect(bodies.size).toBe(0);
    expect(stored.streams).toEqual([{ channel: "stdout", pieces: [{ text: "short\n" }] }]);
  });

  test("that lost bytes is not decoded", () => {
    const { stored } = roundTrip({ ...stdioTranscript(), events: [line("short\n")] });
    const cut = { ...stored, streams: [{ channel: "stdout" as const, pieces: [{ text: "s" }] }] };
    const noBody = () => new Uint8Array();
    expect(() => decodeTranscript(cut, noBody, complain)).toThrow("fewer bytes than were received");
  });
});
