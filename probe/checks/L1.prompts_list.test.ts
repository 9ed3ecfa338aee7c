import { describe, expect, test } from "vitest";
import {
  type Answer,
  httpTranscript,
  INITIALIZE,
  METHOD_NOT_FOUND,
} from "../testing/transcripts.ts";
import check from "./L1.prompts_list.ts";

/** A server that declares prompts beside its tools. */
function declaring(capability: unknown, ...pages: readonly Answer[]) {
  const capabilities = { tools: {}, prompts: capability };
  return httpTranscript({
    answers: {
      initialize: { result: { ...INITIALIZE, capabilities } },
      "prompts/list": pages,
    },
  });
}
const holding = (...entries: readonly unknown[]) => declaring({}, { result: { prompts: entries } });
const good = { name: "p" };

describe("L1.prompts_list", () => {
  test("passes with good entries, and shows where they were seen", () => {
    expect(check.run(holding(good, good))).toEqual({
      outcome: "passed",
      because: "prompts/list gave 2 entries on 1 page.",
      evidence: [14, 17],
    });
  });

  test("passes with an empty list", () => {
    expect(check.run(holding())).toMatchObject({ outcome: "passed" });
  });

  test.each([
    [{}, 'must have a string "name", but has nothing'],
    [{ name: null }, 'must have a string "name", but has null'],
    ["p", 'must be an object, but is "p"'],
    [[], "must be an object, but is an array"],
  ])("fails on the entry %j", (entry, words) => {
    expect(check.run(holding(good, entry))).toEqual({
      outcome: "failed",
      reason: "entry-malformed",
      because: `Entry 2 of prompts/list ${words}.`,
      evidence: [14, 17],
    });
  });

  test("counts the faulty entries after the first", () => {
    expect(check.run(holding(null, good, 7))).toMatchObject({
      because: "Entry 1 of prompts/list must be an object, but is null. 1 more is faulty too.",
    });
  });

  test("fails on a faulty entry also when a later page is behind a login", () => {
    const first = { result: { prompts: [{}], nextCursor: "2" } };
    expect(check.run(declaring({}, first, { raw: "", status: 401 }))).toMatchObject({
      outcome: "failed",
      reason: "entry-malformed",
      evidence: [14, 17],
    });
  });

  test("fails when the declared list is answered with an error", () => {
    expect(check.run(declaring({}, { error: METHOD_NOT_FOUND }))).toMatchObject({
      outcome: "failed",
      reason: "rpc-error",
      because: expect.stringContaining("do not declare prompts"),
      evidence: [14, 15, 17],
    });
  });

  test.each([[undefined], [false], [null]])("does not apply when declared as %s", (value) => {
    expect(check.run(declaring(value))).toEqual({
      outcome: "inapplicable",
      because: "The server does not declare prompts.",
      evidence: [],
    });
  });

  test("is untested behind a login", () => {
    expect(check.run(declaring({}, { raw: "", status: 401 }))).toMatchObject({
      outcome: "untested",
      reason: "auth-required",
    });
  });

  test("cannot tell when we stopped before the last page", () => {
    const first = { result: { prompts: [], nextCursor: "2" } };
    expect(check.run(declaring({}, first))).toMatchObject({
      outcome: "cantTell",
      reason: "probe-failed",
    });
  });
});
