import { expect, test } from "vitest";
import { httpTranscript, stdioTranscript } from "../testing/transcripts.ts";
import fact from "./latency.ts";

test("is the time from the opening to its reply", () => {
  expect(fact.run(httpTranscript())).toEqual({ opening: 10 });
  expect(fact.run(stdioTranscript())).toEqual({ opening: 10 });
  expect(fact.show({ opening: 10 })).toBe("10 ms to open");
});

test("absent when nothing opened", () => {
  const silent = httpTranscript({ answers: { initialize: { timedOut: 10_000 } }, requests: [] });
  expect(fact.run(silent)).toBeUndefined();
});
