import { expect, test } from "vitest";
import { z } from "zod";
import type { Clock } from "../clock.ts";
import { Recorder } from "./recorder.ts";
import { Transcript } from "./schema.ts";

/** A clock that a test moves. */
function handClock(start: number): Clock & { now(): number; move(ms: number): void } {
  let now = start;
  return { now: () => now, after: () => () => {}, move: (ms) => void (now += ms) };
}

const SUBJECT = {
  probe: { name: "probity", version: "0.0.0" },
  listing: null,
  target: { kind: "command", key: "x", argv: ["x"], environment: {}, missing: [] },
  kind: "full",
  era: "auto",
  attempt: 1,
} as const;

function recorder(clock: Clock): Recorder {
  const target = { ...SUBJECT.target, argv: ["x"], missing: [] };
  return new Recorder({ ...SUBJECT, target }, clock);
}

test("events carry the time since the attempt began, in order", () => {
  const clock = handClock(Date.parse("2026-11-30T12:00:00.250Z"));
  const record = recorder(clock);
  clock.move(7);
  record.add("timed-out", { exchange: 1, after: 5 });
  expect(record.transcript()).toMatchObject({
    startedAt: "2026-11-30T12:00:00.250Z",
    events: [{ type: "timed-out", at: 7, exchange: 1, after: 5 }],
  });
});

test("received bytes are a copy, since the platform reuses its buffers", () => {
  const record = recorder(handClock(0));
  const buffer = Buffer.from("abc");
  record.received("stdout", buffer);
  buffer.fill(0);
  expect(record.events[0]).toMatchObject({ data: new Uint8Array([97, 98, 99]) });
});

test("every listener hears every event", () => {
  const record = recorder(handClock(0));
  const heard: string[] = [];
  record.listen(({ type }, ref) => heard.push(`a ${type} ${ref}`));
  record.listen(({ type }, ref) => heard.push(`b ${type} ${ref}`));
  record.add("ended", { channel: 1 });
  expect(heard).toEqual(["a ended 0", "b ended 0"]);
});

test("values of headers outside the public list are hashed, in both directions", () => {
  const record = recorder(handClock(0));
  const headers: [string, string][] = [
    ["Content-Type", "text/plain"],
    ["Set-Cookie", "session=secret"],
  ];
  record.add("responded", { exchange: 1, status: 200, headers });
  const http = { method: "POST", url: "https://x.example", headers };
  const sent = { exchange: 2, purpose: "list", replies: 2, http, data: new Uint8Array() } as const;
  record.add("sent", sent);
  const text = JSON.stringify(z.encode(Transcript, record.transcript()));
  expect(text).not.toContain("secret");
  expect(text.match(/"Set-Cookie","sha256:[0-9a-f]{8}"/g)).toHaveLength(2);
  expect(text.match(/"Content-Type","text\/plain"/g)).toHaveLength(2);
});

test("a transcript comes back from its JSON form", () => {
  const record = recorder(handClock(0));
  record.received("stdout", Uint8Array.from([0xff, 1]));
  record.add("spawned", { argv: ["x"], environment: [] });
  const transcript = record.transcript();
  const json: unknown = JSON.parse(JSON.stringify(z.encode(Transcript, transcript)));
  expect(Transcript.parse(json)).toEqual(transcript);
});
