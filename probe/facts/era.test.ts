import { expect, test } from "vitest";
import { httpTranscript, modernTranscript, stdioTranscript } from "../testing/transcripts.ts";
import fact from "./era.ts";

test.each([
  ["legacy", httpTranscript()],
  ["legacy", stdioTranscript()],
  ["modern", modernTranscript()],
] as const)("%s is the era of the opening that succeeded", (era, transcript) => {
  expect(fact.run(transcript)).toBe(era);
  expect(fact.show(era)).toContain(era);
});

test("absent when nothing opened", () => {
  const refused = httpTranscript({
    answers: { initialize: { raw: "", status: 500 } },
    requests: [],
  });
  expect(fact.run(refused)).toBeUndefined();
});
