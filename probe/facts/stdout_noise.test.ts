import { expect, test } from "vitest";
import { httpTranscript, stdioTranscript } from "../testing/transcripts.ts";
import fact from "./stdout_noise.ts";

test("counts lines that are no message", () => {
  const noise = '\n== banner ==\n{"level":30,"msg":"up"}\n1\n';
  expect(fact.run(stdioTranscript({ noise }))).toBe(3);
  expect([fact.show(1), fact.show(3)]).toEqual(["1 line", "3 lines"]);
});

test("absent on a clean pipe, where blank lines are allowed, and over HTTP", () => {
  expect(fact.run(stdioTranscript({ noise: "\n\r\n" }))).toBeUndefined();
  expect(fact.run(httpTranscript())).toBeUndefined();
});
