import { describe, expect, test } from "vitest";
import {
  type Check,
  type CheckId,
  defineCheck,
  failed,
  inapplicable,
  passed,
  untested,
} from "./check.ts";
import type { CheckResult } from "./check.ts";
import { inAskingOrder } from "./checks/index.ts";
import { evaluate, observe } from "./evaluate.ts";
import { defineFact } from "./fact.ts";
import { Observation } from "./observation.ts";
import { httpTranscript } from "./testing/transcripts.ts";

function check(id: CheckId, needs: CheckId[], run: () => CheckResult): Check {
  const words = { title: id, passesWhen: "", why: "", fix: "" };
  return defineCheck({ id, needs, ...words, run });
}

const base = (result: CheckResult) => check("L0.base", [], () => result);
const next = check("L1.next", ["L0.base"], () => passed("Fine.", [0]));

function outcomesOf(...checks: Check[]) {
  return evaluate(httpTranscript(), { checks, facts: [] }).checks.map(
    ({ check: id, outcome, reason }) => [id, outcome, reason],
  );
}

describe("a check whose need", () => {
  test("passed is run", () => {
    expect(outcomesOf(base(passed("Fine.", [0])), next)[1]).toEqual([
      "L1.next",
      "passed",
      undefined,
    ]);
  });
  test("does not apply is run", () => {
    expect(outcomesOf(base(inapplicable("No TLS here.")), next)[1]![1]).toBe("passed");
  });
  test("failed is not reached", () => {
    expect(outcomesOf(base(failed("broken", "No.", [0])), next)[1]).toEqual([
      "L1.next",
      "untested",
      "not-reached",
    ]);
  });
  test("was untested is untested for the same reason", () => {
    expect(outcomesOf(base(untested("auth-required", "A login.")), next)[1]).toEqual([
      "L1.next",
      "untested",
      "auth-required",
    ]);
  });
});

test("a crashing check is our fault and stops no other", () => {
  const crashing = check("L0.base", [], () => {
    throw new TypeError("boom");
  });
  const alone = check("L0.other", [], () => passed("Fine.", [0]));
  const { checks } = evaluate(httpTranscript(), { checks: [crashing, alone], facts: [] });
  expect(checks).toMatchObject([
    { outcome: "cantTell", reason: "check-crashed", because: expect.stringContaining("boom") },
    { outcome: "passed" },
  ]);
});

test("a crashing fact is absent, a silent one too, and __proto__ is a name like any other", () => {
  const fact = (id: string, run: () => number | undefined) =>
    defineFact({ id, title: id, describes: "", run, show: String });
  const facts = [
    fact("crashing", () => {
      throw new Error("boom");
    }),
    fact("silent", () => undefined),
    fact("__proto__", () => 7),
  ];
  const read = evaluate(httpTranscript(), { checks: [], facts }).facts;
  expect(JSON.stringify(read)).toBe('{"__proto__":7}');
});

describe("an observation", () => {
  const attempts = [1, 2, 3].map((attempt) => ({ ...httpTranscript(), attempt }));

  test("is judged by the first attempt that passed L0", () => {
    let calls = 0;
    const flaky = check("L0.base", [], () =>
      ++calls === 1 ? failed("broken", "No.", [0]) : passed("Fine.", [0]),
    );
    const observation = observe(attempts, { checks: [flaky], facts: [] });
    expect(observation.judged).toBe(2);
    expect(observation.attempts.map(({ stoppedBy }) => stoppedBy?.reason)).toEqual([
      "broken",
      undefined,
      undefined,
    ]);
  });

  test("is judged by the last attempt when none passed", () => {
    const checks = [base(failed("broken", "No.", [0]))];
    expect(observe(attempts, { checks, facts: [] }).judged).toBe(3);
  });

  test("ends with its last event and fits its schema, keys in declared order", () => {
    const observation = observe(attempts, { checks: [base(passed("Fine.", [0]))], facts: [] });
    expect(observation.attempts[0]).toMatchObject({
      startedAt: "2026-11-30T12:00:00.000Z",
      endedAt: expect.stringMatching(/^2026-11-30T12:00:00\.0[1-9]\dZ$/),
      control: "not-measured",
    });
    expect(JSON.stringify(Observation.parse(observation))).toBe(JSON.stringify(observation));
  });
});

describe("the asking order", () => {
  test("puts a check after those it needs, layer by layer", () => {
    const order = inAskingOrder([
      check("L1.a", ["L0.z"], () => passed("", [0])),
      check("L0.a", ["L0.z"], () => passed("", [0])),
      check("L0.z", [], () => passed("", [0])),
    ]);
    expect(order.map(({ id }) => id)).toEqual(["L0.z", "L0.a", "L1.a"]);
  });
  test("refuses a need that does not exist", () => {
    expect(() => inAskingOrder([next])).toThrow("needs L0.base, which does not exist");
  });
  test("refuses a circle", () => {
    const circle = [
      check("L0.a", ["L0.b"], () => passed("", [0])),
      check("L0.b", ["L0.a"], () => passed("", [0])),
    ];
    expect(() => inAskingOrder(circle)).toThrow("in a circle");
  });
});

test("an event that shows a result twice is named once", () => {
  const { checks } = evaluate(httpTranscript(), {
    checks: [base(passed("Fine.", [3, 1, 3]))],
    facts: [],
  });
  expect(checks[0]?.evidence).toEqual([3, 1]);
});
