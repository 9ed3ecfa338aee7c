import { describe, expect, test } from "vitest";
import { httpTranscript, INITIALIZE, modernTranscript } from "../testing/transcripts.ts";
import check from "./L0.capabilities.ts";

const run = (capabilities: unknown) =>
  check.run(
    httpTranscript({ answers: { initialize: { result: { ...INITIALIZE, capabilities } } } }),
  );

describe("passed with", () => {
  test("what is declared, in words", () => {
    expect(run({ tools: {}, prompts: {} })).toEqual({
      outcome: "passed",
      because: 'Declares "prompts", "tools".',
      evidence: [3, 4, 6],
    });
  });
  test("an empty object", () => {
    expect(run({})).toMatchObject({ outcome: "passed", because: "Declares none." });
  });
  test("the modern opening", () => {
    expect(check.run(modernTranscript())).toMatchObject({ outcome: "passed" });
  });
  test("a member named __proto__, which declares nothing else", () => {
    expect(run(JSON.parse('{"__proto__":{"prompts":{}}}'))).toMatchObject({
      outcome: "passed",
      because: 'Declares "__proto__".',
    });
  });
});

describe("failed with", () => {
  test.each([
    ["nothing", undefined],
    ["null", null],
    ["a list", ["tools"]],
    ["a text", "tools"],
  ])("%s", (_, capabilities) => {
    expect(run(capabilities)).toMatchObject({
      outcome: "failed",
      reason: "capabilities-malformed",
    });
  });
});

test("cannot be told without an opening", () => {
  const refused = httpTranscript({
    answers: { initialize: { raw: "", status: 500 } },
    requests: [],
  });
  expect(check.run(refused)).toMatchObject({ outcome: "cantTell" });
});
