import { expect, test } from "vitest";
import { httpTranscript, INITIALIZE } from "../testing/transcripts.ts";
import fact from "./content_encoding.ts";

test.each([
  ["gzip", "GZIP"],
  [undefined, "identity"],
  [undefined, ""],
])("%s for %j", (value, encoding) => {
  const headers = { "content-type": "application/json", "content-encoding": encoding };
  const answers = { initialize: { result: INITIALIZE, headers } };
  expect(fact.run(httpTranscript({ answers }))).toBe(value);
});

test("absent where no header says one", () => {
  expect(fact.run(httpTranscript())).toBeUndefined();
});
