import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { type Difference, entry, type Try } from "../../testing/observations.ts";
import { codeOf, tableBelow } from "../../testing/readme.ts";
import newer from "../1.1.0/index.ts";
import { reasons } from "../reasons.ts";
import verdict from "./index.ts";
import { READ_AS_FAILED_CALLS, READ_AS_FAILURES } from "./reading.ts";

function alone(difference: Difference, methodology = verdict) {
  const only = entry(difference);
  return methodology.assess({ history: [only], asOf: only.endedAt });
}

const three = (one: Try): readonly Try[] => [one, one, one];
const stopped = (reason: string): Try => ({ stop: ["untested", reason] });
const MODERN: Difference = {
  attempts: three({ control: "passed" }),
  checks: { "L0.initialize": ["passed", "era-modern"] },
};

describe("reasons that it reads as failures of L0", () => {
  const gates = [...READ_AS_FAILURES].filter((reason) => reason !== "era-modern") as string[];

  test.each(gates)("%s on three attempts is dead, and unverifiable in 1.1.0", (reason) => {
    const difference = { attempts: three(stopped(reason)) };
    expect(alone(difference)).toMatchObject({
      methodology: "verdict/1.0.0",
      verdict: "dead",
      reason,
      because: `Failed on 3 of 3 attempts while our own control check passed: L0.initialize (${reason}).`,
      passed: 2,
      assessed: 3,
      failed: ["L0.initialize"],
    });
    expect(alone(difference, newer)).toMatchObject({ verdict: "unverifiable" });
  });

  test("a server of the modern era alone is dead, and alive in 1.1.0", () => {
    expect(alone(MODERN)).toMatchObject({
      verdict: "dead",
      reason: "era-modern",
      passed: 2,
      assessed: 3,
      failed: ["L0.initialize"],
    });
    expect(alone(MODERN, newer)).toMatchObject({ verdict: "alive" });
  });

  test("one attempt is not enough for dead", () => {
    expect(alone({ attempts: [stopped("refused")] })).toMatchObject({
      verdict: null,
      reason: "attempts-incomplete",
    });
    expect(alone({ ...MODERN, attempts: [{}] })).toMatchObject({
      verdict: null,
      reason: "attempts-incomplete",
    });
  });

  test("a version that is newer than any published one fails the check that asks for it", () => {
    const late: Try = { check: "L0.protocol_version", stop: ["untested", "newer-protocol"] };
    expect(alone({ attempts: three(late) })).toMatchObject({
      verdict: "dead",
      failed: ["L0.protocol_version"],
      passed: 3,
      assessed: 4,
    });
  });

  test("a mixed run needs no other reason to be dead", () => {
    const attempts = [stopped("rate-limited"), { stop: ["failed", "timeout"] }, stopped("refused")];
    expect(alone({ attempts: attempts as Try[] })).toMatchObject({ verdict: "dead" });
  });
});

describe("reasons that it reads as failures of a call", () => {
  test.each([...READ_AS_FAILED_CALLS] as string[])(
    "%s is degraded, and alive in 1.1.0",
    (reason) => {
      const difference: Difference = { checks: { "L2.call_ok": ["untested", reason] } };
      expect(alone(difference)).toMatchObject({ verdict: "degraded", failed: ["L2.call_ok"] });
      expect(alone(difference, newer)).toMatchObject({ verdict: "alive" });
    },
  );

  test("nothing else, and on no other check", () => {
    for (const checks of [
      { "L2.call_ok": ["untested", "payment-required"] },
      { "L2.bad_input": ["untested", "payment-required-by-code"] },
    ] satisfies Difference["checks"][]) {
      expect(alone({ checks })).toMatchObject({ verdict: "alive" });
    }
  });
});

describe("what it judges as 1.1.0 does", () => {
  test.each<[string, Difference]>([
    ["a healthy server", {}],
    ["a failed contract", { checks: { "L1.envelope": ["failed", "id-mismatch"] } }],
    [
      "a slow-down that the second attempt did not meet",
      { attempts: [stopped("rate-limited"), {}] },
    ],
    [
      "a slow-down after the opening",
      { checks: { "L1.tools_list": ["untested", "rate-limited"] } },
    ],
    ["a login", { attempts: [stopped("auth-required")] }],
    ["missing configuration", { attempts: [stopped("needs-configuration")] }],
    ["a missing service", { attempts: [stopped("needs-service")] }],
    ["a package that cannot be fetched", { attempts: [stopped("package-unavailable")] }],
    ["a failed control", { attempts: three({ ...stopped("refused"), control: "failed" }) }],
    ["a crash of ours", { attempts: [{ stop: ["cantTell", "check-crashed"] }] }],
    ["three failures", { attempts: three({ stop: ["failed", "timeout"] }) }],
  ])("%s", (_, difference) => {
    const { methodology: _own, ...assessment } = alone(difference);
    const { methodology: _other, ...expected } = alone(difference, newer);
    expect(assessment).toEqual(expected);
    expect(assessment.verdict).not.toBeNull();
  });
});

describe("the published page", async () => {
  const page = await readFile(new URL("README.md", import.meta.url), "utf8");
  const codesBelow = (heading: string) => tableBelow(page, heading).map(([first]) => codeOf(first));

  test("names the checks that count, in their order", () => {
    expect(codesBelow("## Checks")).toEqual(verdict.checks);
  });

  test("names the reasons that are read as failures, in their order", () => {
    expect(codesBelow("## Read as failures")).toEqual([...READ_AS_FAILURES]);
  });

  test("names the reasons for unverifiable: all that it does not read as failures", () => {
    const expected = [...reasons.keys()].filter((reason) => !READ_AS_FAILURES.has(reason));
    expect(codesBelow("## Unverifiable")).toEqual(expected);
  });

  test("names the lists that it goes by, with their digests", () => {
    const rows = tableBelow(page, "## Lists").map(([list, , digest]) => [
      codeOf(list),
      codeOf(digest),
    ]);
    expect(Object.fromEntries(rows)).toEqual(verdict.rules);
  });

  test("states its name and date", () => {
    expect(page.split("\n")[0]).toBe(`# ${verdict.title}`);
    expect(page).toContain(`Published ${verdict.publishedOn}.`);
  });
});
