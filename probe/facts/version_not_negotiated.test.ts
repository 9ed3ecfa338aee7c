import { expect, test } from "vitest";
import {
  DISCOVER,
  httpTranscript,
  INITIALIZE,
  METHOD_NOT_FOUND,
  modernTranscript,
} from "../testing/transcripts.ts";
import fact from "./version_not_negotiated.ts";

const offer = (protocolVersion: string) =>
  ({ method: "initialize", purpose: "opening", params: { protocolVersion } }) as const;

test("the versions that were refused before one was accepted", () => {
  const transcript = httpTranscript({
    requests: [offer("2025-06-18"), offer("2025-03-26")],
    answers: {
      initialize: [{ error: METHOD_NOT_FOUND }, { raw: "no", status: 400 }, { result: INITIALIZE }],
    },
  });
  const value = fact.run(transcript)!;
  expect(value).toEqual(["2025-11-25", "2025-06-18"]);
  expect(fact.show(value)).toBe("refused 2025-11-25, 2025-06-18 before it accepted another");
});

test("absent when the first offer was accepted, in either era", () => {
  expect(fact.run(httpTranscript())).toBeUndefined();
  expect(fact.run(modernTranscript())).toBeUndefined();
});

test("absent when the other era answered", () => {
  const transcript = httpTranscript({
    requests: [{ method: "server/discover", purpose: "opening" }],
    answers: {
      initialize: { error: METHOD_NOT_FOUND },
      "server/discover": { result: DISCOVER },
    },
  });
  expect(fact.run(transcript)).toBeUndefined();
});
