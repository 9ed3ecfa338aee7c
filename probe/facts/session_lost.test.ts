import { expect, test } from "vitest";
import { httpTranscript, INITIALIZE, stdioTranscript } from "../testing/transcripts.ts";
import fact from "./session_lost.ts";

const initialize = { result: INITIALIZE, headers: { "mcp-session-id": "s1" } };

test("is true when we had to open another one", () => {
  const value = fact.run(
    httpTranscript({
      answers: { initialize: [initialize, initialize] },
      requests: [{ method: "initialize", purpose: "reopening" }],
    }),
  );
  expect(value).toBe(true);
  expect(fact.show(value!)).toBe("forgot its session");
});

test.each([
  ["for a session that held", httpTranscript({ answers: { initialize } })],
  ["without a session", httpTranscript()],
  ["over a pipe", stdioTranscript()],
])("is absent %s", (_, transcript) => {
  expect(fact.run(transcript)).toBeUndefined();
});
