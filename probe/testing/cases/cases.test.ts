/**
 * Faults from public bug reports, each built as a server on loopback, and what we must make of them.
 * Nothing is shortened: deadlines and gaps are the product's, and a shared clock jumps over them.
 */
import { describe, expect, test } from "vitest";
import { verdicts } from "../../../methodology/index.ts";
import { assessAlone } from "../../../methodology/methodology.ts";
import { checks } from "../../checks/index.ts";
import type { CheckOutcome } from "../../observation.ts";
import type { Expected, Outcome, Variant } from "./case.ts";
import { cases } from "./index.ts";
import { probeCase } from "./probe-case.ts";

test("no two cases have one id", () => {
  const ids = cases.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

describe.each(cases.map((each) => [`${each.id} ${each.title}`, each] as const))("%s", (_, each) => {
  const variants = Object.entries(each.variants).map(
    ([letter, variant]) => [`${letter}: ${variant.what}`, variant] as const,
  );
  test.concurrent.each(variants)(
    "%s",
    async (_name, variant) => {
      const outcome = await probeCase(variant.server);
      expect(said(outcome, variant.expected)).toEqual(wanted(variant));
      variant.expected.also?.(outcome);
    },
    60_000,
  );
});

type Word = CheckOutcome["outcome"];

/** What an outcome says on all that is expected. */
function said({ observation, transcripts }: Outcome, { checks: named = {}, facts }: Expected) {
  const [now, before] = verdicts.map((verdict) => assessAlone(verdict, observation));
  const outcomes = observation.checks.map(({ check, outcome, because }) => [
    check,
    named[check] === "any" ? "any" : outcome,
    because,
  ]);
  return {
    verdict: now!.verdict,
    formerly: before!.verdict,
    reason: now!.verdict === "unverifiable" ? now!.reason : null,
    attempts: transcripts.length,
    checks: Object.fromEntries(outcomes.map(([check, outcome]) => [check, outcome])),
    facts: facts && observation.facts,
  };
}

function wanted({ server, expected }: Variant) {
  const { verdict, formerly = verdict, reason = null, facts, attempts } = expected;
  const outcomes = wantedChecks(server.wire, expected);
  const stopped = Object.entries(outcomes).some(
    ([check, word]) => check.startsWith("L0.") && word !== "passed" && word !== "inapplicable",
  );
  return {
    ...{ verdict, formerly, reason },
    attempts: attempts ?? (stopped ? 3 : 1),
    checks: outcomes,
    facts: facts && expect.objectContaining(matching(facts)),
  };
}

/** Objects may hold more than is named, at every depth. */
function matching(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, wish]) => [
      name,
      typeof wish === "object" && wish !== null && !Array.isArray(wish)
        ? expect.objectContaining(matching(wish as Record<string, unknown>))
        : wish,
    ]),
  );
}

/** The healthy outcomes with the named differences; behind a check that did not pass, `untested`. */
function wantedChecks(wire: "http" | "stdio", { checks: named = {} }: Expected) {
  const wish = new Map<string, Word | "any">();
  for (const { id, needs } of checks) {
    const blocked = needs.some((need) => !["passed", "inapplicable"].includes(wish.get(need)!));
    wish.set(id, named[id] ?? (blocked ? "untested" : usual(id, wire)));
  }
  for (const id of Object.keys(named)) {
    if (!wish.has(id)) throw new Error(`There is no check ${id}.`);
  }
  return Object.fromEntries(wish);
}

function usual(check: string, wire: "http" | "stdio"): Word {
  if (check === "L0.tls" && wire === "stdio") return "inapplicable";
  if (check === "L1.resources_list" || check === "L1.prompts_list") return "inapplicable";
  return "passed";
}
