import { expect, test } from "vitest";
import {
  httpTranscript,
  INITIALIZE,
  sseTranscript,
  stdioTranscript,
} from "../testing/transcripts.ts";
import fact from "./status_202_with_body.ts";

test("is true when an answer came with 202", () => {
  const value = fact.run(
    httpTranscript({ answers: { initialize: { result: INITIALIZE, status: 202 } } }),
  );
  expect(value).toBe(true);
  expect(fact.show(true)).toBe("answers in the body of a 202");
});

test.each([
  ["202 to a notification", httpTranscript()],
  ["202 without an answer", httpTranscript({ answers: { initialize: { raw: "", status: 202 } } })],
  [
    "HTTP+SSE, whose answers are on the stream",
    sseTranscript({ answers: { initialize: { result: INITIALIZE, status: 202 } } }),
  ],
  ["a pipe", stdioTranscript()],
])("is absent for %s", (_, transcript) => {
  expect(fact.run(transcript)).toBeUndefined();
});
