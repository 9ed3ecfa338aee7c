import { expect, test } from "vitest";
import {
  type Answer,
  DISCOVER,
  httpTranscript,
  INITIALIZE,
  METHOD_NOT_FOUND,
  stdioTranscript,
} from "../testing/transcripts.ts";
import fact from "./eras.ts";

const discover = { method: "server/discover", purpose: "other-era" } as const;
const asked = (answer: Answer) =>
  fact.run(httpTranscript({ requests: [discover], answers: { "server/discover": answer } }));

test("both, when the server that was initialized can be discovered too", () => {
  expect(asked({ result: DISCOVER })).toEqual(["legacy", "modern"]);
  expect(fact.show(["legacy", "modern"])).toBe("legacy and modern");
});

test.each<[string, Answer]>([
  ["refused it", { error: METHOD_NOT_FOUND }],
  ["refused it by HTTP", { raw: "no session", status: 400 }],
  ["was silent", { timedOut: 5000 }],
  ["answered whatever it is asked", { result: {} }],
  ["answered it as if it was initialize", { result: INITIALIZE }],
])("legacy alone, when the server %s", (_, answer) => {
  expect(asked(answer)).toEqual(["legacy"]);
});

test("modern alone, when initialize was refused before", () => {
  const transcript = httpTranscript({
    requests: [{ method: "server/discover", purpose: "opening" }],
    answers: {
      initialize: { error: METHOD_NOT_FOUND },
      "server/discover": { result: DISCOVER },
    },
  });
  expect(fact.run(transcript)).toEqual(["modern"]);
});

test("absent when one era was tried, or none opened", () => {
  expect(fact.run(httpTranscript())).toBeUndefined();
  expect(fact.run(stdioTranscript())).toBeUndefined();
  const refused = httpTranscript({
    requests: [{ method: "server/discover", purpose: "opening" }],
    answers: {
      initialize: { error: METHOD_NOT_FOUND },
      "server/discover": { error: METHOD_NOT_FOUND },
    },
  });
  expect(fact.run(refused)).toBeUndefined();
});
