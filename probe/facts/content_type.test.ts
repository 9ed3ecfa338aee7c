import { expect, test } from "vitest";
import {
  httpTranscript,
  INITIALIZE,
  METHOD_NOT_FOUND,
  sseTranscript,
  stdioTranscript,
} from "../testing/transcripts.ts";
import fact from "./content_type.ts";

const typed = (value: string) =>
  httpTranscript({
    answers: { initialize: { result: INITIALIZE, headers: { "content-type": value } } },
  });

test("names what strict clients would not read", () => {
  const value = fact.run(typed("Text/Plain; charset=utf-8"));
  expect(value).toEqual(["text/plain"]);
  expect(fact.show(value!)).toContain("text/plain");
});

test("says when there is none", () => {
  expect(fact.run(typed(""))).toEqual(["missing"]);
});

test.each([
  ["JSON", httpTranscript()],
  ["JSON with a character set", typed("application/json;charset=UTF-8")],
  [
    "a refusal, whose page may be of any type",
    httpTranscript({
      answers: {
        "probe/unknown-method": {
          error: METHOD_NOT_FOUND,
          status: 404,
          headers: { "content-type": "text/plain" },
        },
      },
    }),
  ],
  [
    "HTTP+SSE, whose POSTs are accepted in plain text",
    sseTranscript({
      answers: { initialize: { result: INITIALIZE, headers: { "content-type": "text/plain" } } },
    }),
  ],
  ["a pipe", stdioTranscript()],
])("is absent for %s", (_, transcript) => {
  expect(fact.run(transcript)).toBeUndefined();
});
