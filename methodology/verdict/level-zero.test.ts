import { describe, expect, test } from "vitest";
import { observation, type Try } from "../testing/observations.ts";
import { levelZero } from "./level-zero.ts";

const FAILED: Try = { stop: ["failed", "timeout"] };
const GATED: Try = { stop: ["untested", "auth-required"] };
const OURS: Try = { ...FAILED, control: "failed" };

describe("attempts that failed by the server's fault", () => {
  test.each<[string, readonly Try[], string | null]>([
    ["three a minute apart leave no doubt", [FAILED, FAILED, FAILED], null],
    ["one is not enough", [FAILED], "attempts-incomplete"],
    ["two are not enough", [FAILED, FAILED], "attempts-incomplete"],
    [
      "three that did not wait are too close",
      [FAILED, { ...FAILED, after: 0.2 }, { ...FAILED, after: 0.4 }],
      "attempts-too-close",
    ],
    [
      "one gap that is a millisecond short is too close",
      [FAILED, { ...FAILED, after: 60 }, { ...FAILED, after: 119.999 }],
      "attempts-too-close",
    ],
    [
      "attempts out of order are too close",
      [FAILED, { ...FAILED, after: 300 }, { ...FAILED, after: 60 }],
      "attempts-too-close",
    ],
    [
      "three prove nothing where one control was not measured",
      [FAILED, { ...FAILED, control: "not-measured" }, FAILED],
      "control-not-measured",
    ],
    ["four leave no doubt either", [FAILED, FAILED, FAILED, FAILED], null],
  ])("%s", (_, attempts, doubt) => {
    expect(levelZero(observation({ attempts }))).toMatchObject({ result: "failed", doubt });
  });
});

describe("attempts that something else stopped", () => {
  test.each<[string, readonly Try[], string]>([
    ["a login is the reason", [GATED], "auth-required"],
    ["a login after a failure is the reason", [FAILED, GATED], "auth-required"],
    ["a login among three is the reason", [FAILED, GATED, FAILED], "auth-required"],
    [
      "a demand in words is a login",
      [{ stop: ["untested", "auth-required-by-words"] }],
      "auth-required",
    ],
    ["a failed control is the reason", [FAILED, OURS, OURS], "control-failed"],
    [
      "a failed control makes a login doubtful too",
      [{ ...GATED, control: "failed" }],
      "control-failed",
    ],
    ["a login outranks a fault of ours", [GATED, OURS], "auth-required"],
    ["the last of two gates is named", [GATED, { stop: ["untested", "refused"] }], "refused"],
    ["a crashed check is our failure", [{ stop: ["cantTell", "check-crashed"] }], "probe-failed"],
    ["a cap of ours is our failure", [{ stop: ["cantTell", "size-cap"] }], "probe-failed"],
    [
      "a control that a check names is kept",
      [{ stop: ["cantTell", "control-failed"] }],
      "control-failed",
    ],
    ["a reason that no list knows is passed on", [{ stop: ["untested", "odd"] }], "odd"],
    ["no reason at all is called untested", [{ stop: "untested" }], "untested"],
  ])("%s", (_, attempts, reason) => {
    expect(levelZero(observation({ attempts }))).toEqual({ result: "stopped", reason });
  });
});

test("what of ours failed is named with a failed control, and with nothing else", () => {
  const lost: Try = { ...OURS, lost: "dns" };
  expect(levelZero(observation({ attempts: [FAILED, lost] }))).toEqual({
    result: "stopped",
    reason: "control-failed",
    lost: "dns",
  });
  expect(levelZero(observation({ attempts: [lost, GATED] }))).toEqual({
    result: "stopped",
    reason: "auth-required",
  });
});

describe("an attempt that passed", () => {
  test.each<[string, readonly Try[], number]>([
    ["is enough alone", [{}], 1],
    ["outweighs a failure before it", [FAILED, {}], 2],
    ["outweighs a slow-down before it", [{ stop: ["untested", "rate-limited"] }, {}], 2],
    ["outweighs a failed control", [{ control: "failed" }], 1],
  ])("%s", (_, attempts, attempt) => {
    expect(levelZero(observation({ attempts }))).toMatchObject({
      result: "passed",
      judged: { attempt },
    });
  });

  test("does not count when the record judged another, and is not held against the server", () => {
    const contradictory = { ...observation({ attempts: [FAILED, FAILED, FAILED, {}] }), judged: 1 };
    expect(levelZero(contradictory)).toMatchObject({
      result: "failed",
      doubt: "attempts-incomplete",
    });
  });
});
