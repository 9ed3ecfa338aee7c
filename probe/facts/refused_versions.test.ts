import { expect, test } from "vitest";
import { httpTranscript, INITIALIZE, type Request } from "../testing/transcripts.ts";
import fact from "./refused_versions.ts";

const REFUSAL = { error: { code: -32602, message: "Only 2025-06-18" } };
const OLDER = { result: { ...INITIALIZE, protocolVersion: "2025-06-18" } };
/** Asked again, after the builder's own opening with the newest version. */
const AGAIN: Request = {
  method: "initialize",
  purpose: "opening",
  params: { protocolVersion: "2025-06-18" },
};

test("names what was refused before another version opened", () => {
  const transcript = httpTranscript({
    answers: { initialize: [REFUSAL, OLDER] },
    requests: [AGAIN],
  });
  expect(fact.run(transcript)).toEqual(["2025-11-25"]);
  expect(fact.show(["2025-11-25", "2025-06-18"])).toBe("2025-11-25, 2025-06-18");
});

test("absent when the first opened, and when none did", () => {
  expect(fact.run(httpTranscript())).toBeUndefined();
  expect(
    fact.run(httpTranscript({ answers: { initialize: [REFUSAL, REFUSAL] }, requests: [AGAIN] })),
  ).toBeUndefined();
});
