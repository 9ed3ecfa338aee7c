import { expect, test } from "vitest";
import { httpTranscript, modernTranscript, stdioTranscript } from "../testing/transcripts.ts";
import fact from "./initialized_status.ts";

const answered = (status: number) =>
  fact.run(httpTranscript({ answers: { "notifications/initialized": { raw: "", status } } }));

test.each([400, 401, 404, 500])("HTTP %i is said", (status) => {
  expect(answered(status)).toBe(status);
  expect(fact.show(status)).toBe(`HTTP ${status}`);
});

test.each([200, 202, 204])("HTTP %i is what is expected, or harmless", (status) => {
  expect(answered(status)).toBeUndefined();
});

test("absent where there is no notification, or no HTTP", () => {
  expect(fact.run(modernTranscript())).toBeUndefined();
  expect(fact.run(stdioTranscript())).toBeUndefined();
});
