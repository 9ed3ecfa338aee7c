import { expect, test } from "vitest";
import { httpTranscript, INITIALIZE, modernTranscript } from "../testing/transcripts.ts";
import fact from "./protocol_version.ts";

const answered = (protocolVersion: unknown) =>
  fact.run(
    httpTranscript({ answers: { initialize: { result: { ...INITIALIZE, protocolVersion } } } }),
  );

test("is what the server answered, published or not", () => {
  expect(answered("2025-06-18")).toBe("2025-06-18");
  expect(answered("2024-10-07")).toBe("2024-10-07");
  expect(fact.show("2025-06-18")).toBe("protocol 2025-06-18");
});

test("is the version that we named in the modern era", () => {
  expect(fact.run(modernTranscript())).toBe("2026-07-28");
});

test.each([20251125, null, undefined, {}])("absent when it is no text: %j", (version) => {
  expect(answered(version)).toBeUndefined();
});
