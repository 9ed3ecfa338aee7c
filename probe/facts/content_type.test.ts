import { expect, test } from "vitest";
import { httpTranscript, INITIALIZE, stdioTranscript } from "../testing/transcripts.ts";
import fact from "./content_type.ts";

const opening = (type: string) =>
  httpTranscript({
    answers: { initialize: { result: INITIALIZE, headers: { "content-type": type } } },
  });

test.each([
  ["text/plain", "text/plain; charset=utf-8"],
  ["missing", ""],
  [undefined, "application/json;charset=UTF-8"],
  [undefined, "Application/JSON"],
  [undefined, "text/event-stream"],
])("%s for %j", (value, type) => {
  expect(fact.run(opening(type))).toBe(value);
});

test("an error page is no reply, and a pipe has no content types", () => {
  const page = { raw: "<h1>No</h1>", status: 404, headers: { "content-type": "text/html" } };
  expect(fact.run(httpTranscript({ answers: { "tools/list": page } }))).toBeUndefined();
  expect(fact.run(stdioTranscript())).toBeUndefined();
});
