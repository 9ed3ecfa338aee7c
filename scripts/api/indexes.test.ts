import { describe, expect, test } from "vitest";
import type { Outcome } from "../../probe/check.ts";
import { listingOutcomes } from "./check-index.ts";
import { methodologyIndex } from "./methodology-index.ts";
import type { ServerPage } from "./schema.ts";
import { countVerdicts } from "./verdict-counts.ts";

describe("a check that spoke once per tool counts once", () => {
  const outcomeOf = (...outcomes: readonly Outcome[]) => {
    const checks = outcomes.map((outcome) => ({ check: "L2.call_ok", outcome }));
    const page = { name: "a/b", targets: [{ observation: { checks } }] };
    return listingOutcomes(page as unknown as ServerPage).outcomes.get("L2.call_ok");
  };

  test.each<[string, readonly Outcome[], Outcome]>([
    ["failed when any failed", ["passed", "failed", "untested"], "failed"],
    ["else passed when any passed", ["untested", "passed"], "passed"],
    ["else untested", ["inapplicable", "untested"], "untested"],
    ["as it came when it came once", ["inapplicable"], "inapplicable"],
  ])("%s", (_, outcomes, expected) => {
    expect(outcomeOf(...outcomes)).toBe(expected);
  });
});

test("methodologies stand by family, the current version first, then the newest", () => {
  const version = (id: `${string}/${string}`) => ({
    id,
    title: id,
    publishedOn: "2026-12-15",
    checks: [],
    rules: {},
    assess: () => null,
  });
  const index = methodologyIndex({
    methodologies: [
      version("verdict/1.9.0"),
      version("verdict/1.10.0"),
      version("verdict/1.1.0"),
      version("composite/1.0.0"),
    ],
    current: new Set(["composite/1.0.0", "verdict/1.1.0"]),
  });
  expect(index.methodologies.map(({ id, current }) => [id, current])).toEqual([
    ["composite/1.0.0", true],
    ["verdict/1.1.0", true],
    ["verdict/1.10.0", false],
    ["verdict/1.9.0", false],
  ]);
});

test("a verdict that is hidden counts as none, a stale one as itself", () => {
  expect(
    countVerdicts([
      { verdict: "alive", freshness: "fresh" },
      { verdict: "alive", freshness: "stale" },
      { verdict: "dead", freshness: "hidden" },
      { verdict: null, freshness: null },
    ]),
  ).toEqual({ alive: 2, degraded: 0, dead: 0, unverifiable: 0, none: 2 });
});
