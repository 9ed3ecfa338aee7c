import { expect, test } from "vitest";
import { httpTranscript, stdioTranscript } from "../testing/transcripts.ts";
import type { Event } from "../transcript/schema.ts";
import fact from "./shutdown.ts";

const stopping = (by: "stdin" | "SIGTERM" | "SIGKILL"): Event => ({
  type: "stopping",
  at: 900,
  by,
});

test.each([
  ["clean", [stopping("stdin")]],
  ["terminated", [stopping("stdin"), stopping("SIGTERM")]],
  ["killed", [stopping("stdin"), stopping("SIGTERM"), stopping("SIGKILL")]],
  // A fresh process of the same attempt ended well; the worst counts.
  ["killed", [stopping("stdin"), stopping("SIGTERM"), stopping("SIGKILL"), stopping("stdin")]],
  [undefined, []],
])("%s by what was needed", (word, steps) => {
  const transcript = stdioTranscript();
  const events = transcript.events.filter(({ type }) => type !== "stopping");
  expect(fact.run({ ...transcript, events: [...events, ...steps] })).toBe(word);
});

test("absent over HTTP", () => {
  expect(fact.run(httpTranscript())).toBeUndefined();
});
