import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import {
  type Difference,
  entry,
  hours,
  NOT_ASKED,
  START,
  type Try,
} from "../../testing/observations.ts";
import { codeOf, tableBelow } from "../../testing/readme.ts";
import { ATTEMPT_GAP, ATTEMPTS_FOR_DEAD } from "../level-zero.ts";
import { reasons } from "../reasons.ts";
import verdict from "./index.ts";

const FAILED: Try = { stop: ["failed", "timeout"] };
const DEAD: readonly Try[] = [FAILED, FAILED, FAILED];
const GATED: readonly Try[] = [{ stop: ["untested", "auth-required"] }];
const OURS: readonly Try[] = [{ ...FAILED, control: "failed" }];
const LIVENESS: Difference = { kind: "liveness", checks: NOT_ASKED };

/** What one run alone says. */
function alone(difference: Difference) {
  const only = entry(difference);
  return verdict.assess({ history: [only], asOf: only.endedAt });
}

/** What stands some hours after the start; each run `[hour, difference]`. */
function after(asOf: number, runs: readonly (readonly [number, Difference])[]) {
  const history = runs.map(([hour, difference]) => entry({ at: hours(hour), ...difference }));
  return verdict.assess({ history, asOf: hours(asOf) });
}

test("the whole assessment of a healthy server", () => {
  expect(alone({})).toEqual({
    methodology: "verdict/1.1.0",
    verdict: "alive",
    reason: null,
    because: "Answers and speaks MCP; 10 of 10 checks that ran passed.",
    from: {
      run: `${START}-full`,
      checkedAt: "2026-11-30T12:00:01.000Z",
      version: "1.0.0",
    },
    staleAt: "2026-12-02T12:00:01.000Z",
    hiddenAt: "2026-12-07T12:00:01.000Z",
    freshness: "fresh",
    passed: 10,
    assessed: 10,
    total: 16,
    failed: [],
  });
});

test("the whole assessment before any run", () => {
  expect(verdict.assess({ history: [], asOf: START })).toEqual({
    methodology: "verdict/1.1.0",
    verdict: null,
    reason: "not-checked",
    because: "Not checked yet.",
    from: null,
    staleAt: null,
    hiddenAt: null,
    freshness: null,
    passed: 0,
    assessed: 0,
    total: 16,
    failed: [],
  });
});

describe("one run", () => {
  test.each<[string, Difference, string | null, string | null, string]>([
    [
      "alive although an L2 check could not run",
      { checks: { "L2.call_ok": ["untested", "auth-required"] } },
      "alive",
      null,
      "Answers and speaks MCP; 10 of 10 checks that ran passed.",
    ],
    [
      "alive on the second attempt",
      { attempts: [{ stop: ["untested", "rate-limited"] }, {}] },
      "alive",
      null,
      "Answers and speaks MCP; 10 of 10 checks that ran passed.",
    ],
    [
      "alive in the modern era",
      { checks: { "L0.initialize": ["passed", "era-modern"] } },
      "alive",
      null,
      "Answers and speaks MCP; 10 of 10 checks that ran passed.",
    ],
    [
      "alive without server info where it is optional",
      { checks: { "L1.server_info": ["untested", "server-info-absent"] } },
      "alive",
      null,
      "Answers and speaks MCP; 9 of 9 checks that ran passed.",
    ],
    [
      "alive with a schema that is too large to judge",
      { checks: { "L1.tool_schemas": ["untested", "validator-budget"] } },
      "alive",
      null,
      "Answers and speaks MCP; 9 of 9 checks that ran passed.",
    ],
    [
      "alive although a check failed that the list does not name",
      { checks: { "L1.unlisted": ["failed", "odd"] } },
      "alive",
      null,
      "Answers and speaks MCP; 10 of 10 checks that ran passed.",
    ],
    [
      "degraded by failures of L1",
      { checks: { "L1.unknown_method": ["failed", "a"], "L1.envelope": ["failed", "b"] } },
      "degraded",
      null,
      "2 of 10 checks that ran failed: L1.envelope, L1.unknown_method.",
    ],
    [
      "degraded by a failure of L2",
      { checks: { "L2.call_ok": ["failed", "crash"] } },
      "degraded",
      null,
      "1 of 11 checks that ran failed: L2.call_ok.",
    ],
    [
      "degraded, although a gate was met later",
      {
        checks: {
          "L1.tools_list": ["failed", "rpc-error"],
          "L1.unknown_method": ["untested", "auth-required"],
        },
      },
      "degraded",
      null,
      "1 of 9 checks that ran failed: L1.tools_list.",
    ],
    [
      "dead after three failures",
      { attempts: DEAD },
      "dead",
      "timeout",
      "Failed on 3 of 3 attempts while our own control check passed: L0.initialize (timeout).",
    ],
    [
      "dead without a name that resolves",
      {
        attempts: DEAD.map(() => ({ check: "L0.reachable", stop: ["failed", "dns-not-found"] })),
      },
      "dead",
      "dns-not-found",
      "Failed on 3 of 3 attempts while our own control check passed: L0.reachable (dns-not-found).",
    ],
    [
      "dead when a liveness run finds it so",
      { kind: "liveness", attempts: DEAD },
      "dead",
      "timeout",
      "Failed on 3 of 3 attempts while our own control check passed: L0.initialize (timeout).",
    ],
    [
      "no verdict on fewer attempts",
      { attempts: [FAILED] },
      null,
      "attempts-incomplete",
      "Failed on 1 of the 3 attempts that a verdict needs.",
    ],
    [
      "no verdict on attempts that are too close",
      { attempts: [FAILED, { ...FAILED, after: 1 }, { ...FAILED, after: 2 }] },
      null,
      "attempts-too-close",
      "Failed on 3 attempts, but some started less than a minute apart.",
    ],
    [
      "no verdict without a control",
      { attempts: DEAD.map((one) => ({ ...one, control: "not-measured" })) },
      null,
      "control-not-measured",
      "Failed on 3 attempts, but our own control check did not accompany each.",
    ],
    [
      "unverifiable behind a login",
      { attempts: GATED },
      "unverifiable",
      "auth-required",
      "Answers, and asks for credentials before it opens.",
    ],
    [
      "unverifiable behind a login that is told in words",
      { attempts: [{ stop: ["untested", "auth-required-by-words"] }] },
      "unverifiable",
      "auth-required",
      "Answers, and asks for credentials before it opens.",
    ],
    [
      "unverifiable behind a login after the opening",
      {
        checks: {
          "L1.tools_list": ["untested", "auth-required"],
          "L1.tool_schemas": ["untested", "auth-required"],
          "L1.unknown_method": ["untested", "auth-required"],
        },
      },
      "unverifiable",
      "auth-required",
      "Opens, and asks for credentials before it goes on; 7 of 7 checks that ran passed.",
    ],
    [
      "unverifiable when one check of ours crashed",
      { checks: { "L1.envelope": ["cantTell", "check-crashed"] } },
      "unverifiable",
      "probe-failed",
      "Opens, but the probe itself failed, so this run cannot judge the rest; 9 of 9 checks that ran passed.",
    ],
    [
      "unverifiable when a check of L1 was untested for a reason of its own",
      { checks: { "L1.envelope": ["untested", "odd"] } },
      "unverifiable",
      "odd",
      "Opens, but L1.envelope could not be tested (odd); 9 of 9 checks that ran passed.",
    ],
    [
      "unverifiable instead of degraded when our control failed",
      { attempts: [{ control: "failed" }], checks: { "L1.tools_list": ["failed", "timeout"] } },
      "unverifiable",
      "control-failed",
      "Opens, but our own control check failed, so this run cannot judge the rest; 9 of 9 checks that ran passed.",
    ],
    [
      "alive although our control failed, because every answer came",
      { attempts: [{ control: "failed" }] },
      "alive",
      null,
      "Answers and speaks MCP; 10 of 10 checks that ran passed.",
    ],
    [
      "no verdict when the record lacks a check",
      { checks: { "L1.envelope": undefined } },
      null,
      "checks-missing",
      "Opens, but the record holds no L1.envelope; 9 of 9 checks that ran passed.",
    ],
    [
      "no verdict from a liveness run that only opened",
      LIVENESS,
      null,
      "opening-only",
      "Answers and opens, and was asked no further; 7 of 7 checks that ran passed.",
    ],
    [
      "no verdict from a failed envelope in a liveness run that only opened",
      { ...LIVENESS, checks: { ...NOT_ASKED, "L1.envelope": ["failed", "id-mismatch"] } },
      null,
      "opening-only",
      "Answers and opens, and was asked no further; 6 of 7 checks that ran passed.",
    ],
    [
      "alive from a liveness run that went on",
      { kind: "liveness" },
      "alive",
      null,
      "Answers and speaks MCP; 10 of 10 checks that ran passed.",
    ],
    [
      "unverifiable from a liveness run that went on and met a login",
      {
        kind: "liveness",
        checks: { ...NOT_ASKED, "L1.tools_list": ["untested", "auth-required"] },
      },
      "unverifiable",
      "auth-required",
      "Opens, and asks for credentials before it goes on; 7 of 7 checks that ran passed.",
    ],
    [
      "no verdict from a fault of ours in a liveness run",
      { kind: "liveness", attempts: OURS },
      null,
      "control-failed",
      "Our own control check failed, so this run cannot judge the server.",
    ],
    [
      "unverifiable from a fault of ours in a full run",
      { attempts: OURS },
      "unverifiable",
      "control-failed",
      "Our own control check failed, so this run cannot judge the server.",
    ],
  ])("%s", (_, difference, expected, reason, because) => {
    expect(alone(difference)).toMatchObject({ verdict: expected, reason, because });
  });

  test("what failed on an untrusted network is in no count", () => {
    expect(alone({ attempts: OURS })).toMatchObject({ passed: 2, assessed: 2, failed: [] });
  });

  test.each([...reasons])("%s is unverifiable at the opening", (reason, { opening }) => {
    expect(alone({ attempts: [{ stop: ["untested", reason] }] })).toMatchObject({
      verdict: "unverifiable",
      reason,
      because: `${opening}.`,
    });
  });
});

describe("a history", () => {
  const stands = (checked: number, expected: string) => ({
    verdict: expected,
    from: { checkedAt: entry({ at: hours(checked) }).endedAt },
  });

  test.each<[string, number, readonly (readonly [number, Difference])[], object]>([
    [
      "the newest verdict stands",
      25,
      [
        [0, {}],
        [24, { attempts: GATED }],
      ],
      stands(24, "unverifiable"),
    ],
    [
      "a liveness pass does not renew alive",
      7,
      [
        [0, {}],
        [6, LIVENESS],
      ],
      stands(0, "alive"),
    ],
    [
      "a liveness pass does not renew degraded",
      7,
      [
        [0, { checks: { "L1.envelope": ["failed", "a"] } }],
        [6, LIVENESS],
      ],
      stands(0, "degraded"),
    ],
    [
      "a liveness run sets dead",
      7,
      [
        [0, {}],
        [6, { kind: "liveness", attempts: DEAD }],
      ],
      { verdict: "dead", freshness: "fresh", from: { version: "1.0.0" } },
    ],
    [
      "a liveness run sets unverifiable",
      7,
      [
        [0, {}],
        [6, { kind: "liveness", attempts: GATED }],
      ],
      stands(6, "unverifiable"),
    ],
    [
      "a fault of ours in a liveness run leaves the verdict",
      7,
      [
        [0, {}],
        [6, { kind: "liveness", attempts: OURS }],
      ],
      stands(0, "alive"),
    ],
    [
      "a fault of ours in a full run replaces it",
      25,
      [
        [0, {}],
        [24, { attempts: OURS }],
      ],
      stands(24, "unverifiable"),
    ],
    [
      "incomplete attempts leave the verdict",
      25,
      [
        [0, {}],
        [24, { attempts: [FAILED] }],
      ],
      stands(0, "alive"),
    ],
    [
      "a liveness run that went on brings the dead back",
      7,
      [
        [0, { attempts: DEAD }],
        [6, { kind: "liveness" }],
      ],
      { verdict: "alive" },
    ],
    [
      "a rerun counts as a full run",
      7,
      [
        [0, { checks: { "L1.envelope": ["failed", "a"] } }],
        [6, { kind: "rerun" }],
      ],
      stands(6, "alive"),
    ],
    [
      "a new version starts without a verdict",
      7,
      [
        [0, {}],
        [6, { ...LIVENESS, says: "2.0.0" }],
      ],
      { verdict: null, reason: "opening-only", from: null, freshness: null },
    ],
    [
      "a version that is seen again has its verdict again",
      13,
      [
        [0, {}],
        [6, { ...LIVENESS, says: "2.0.0" }],
        [12, LIVENESS],
      ],
      stands(0, "alive"),
    ],
    [
      "silence belongs to the last known version",
      7,
      [
        [0, {}],
        [6, { attempts: [FAILED] }],
      ],
      { verdict: "alive", from: { version: "1.0.0" } },
    ],
    [
      "what is not known yet does not count",
      7,
      [
        [0, {}],
        [24, { attempts: GATED }],
      ],
      stands(0, "alive"),
    ],
    ["after 48 hours it is stale", 49, [[0, {}]], { verdict: "alive", freshness: "stale" }],
    [
      "after 7 days it is hidden and still told",
      7 * 24 + 1,
      [
        [0, {}],
        [7 * 24, LIVENESS],
      ],
      { verdict: "alive", freshness: "hidden" },
    ],
  ])("%s", (_, asOf, runs, expected) => {
    expect(after(asOf, runs)).toMatchObject(expected);
  });
});

describe("the published page", async () => {
  const page = await readFile(new URL("README.md", import.meta.url), "utf8");
  const codesBelow = (heading: string) => tableBelow(page, heading).map(([first]) => codeOf(first));

  test("names the lists that it goes by, with their digests", () => {
    const rows = tableBelow(page, "## Lists").map(([list, , digest]) => [
      codeOf(list),
      codeOf(digest),
    ]);
    expect(Object.fromEntries(rows)).toEqual(verdict.rules);
  });

  test("names the checks that count, in their order", () => {
    const sections = [
      "## L0: does it answer",
      "## L1: does it keep the contract",
      "## L2: does it behave",
    ];
    expect(sections.flatMap(codesBelow)).toEqual(verdict.checks);
  });

  test("names the reasons for unverifiable, in their order", () => {
    expect(codesBelow("## Unverifiable")).toEqual([...reasons.keys()]);
  });

  test("names the reasons for no verdict that a run can give", () => {
    expect(codesBelow("## When a run gives no verdict")).toEqual([
      "attempts-incomplete",
      "attempts-too-close",
      "control-not-measured",
      "opening-only",
      "checks-missing",
      "not-checked",
    ]);
  });

  test("states the numbers of the code", () => {
    expect(page).toContain(`${ATTEMPT_GAP / 1000} seconds apart`);
    expect(ATTEMPTS_FOR_DEAD).toBe(3);
    expect(page).toContain(`Published ${verdict.publishedOn}.`);
    expect(page.split("\n")[0]).toBe(`# ${verdict.title}`);
  });
});
