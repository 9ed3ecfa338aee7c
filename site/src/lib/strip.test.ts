import { expect, test } from "vitest";
import type { HistoryRow } from "../../../scripts/api/schema.ts";
import { strip, STRIP_RUNS } from "./strip.ts";

const run = (verdict: HistoryRow["verdict"]): HistoryRow => ({
  run: "2026/11/30/2130Z-full-a1b2",
  kind: "full",
  checkedAt: "2026-11-30T21:30:00.000Z",
  version: null,
  verdict,
  reason: null,
  passed: 0,
  assessed: 0,
});

test("the newest run stands at the right, and each verdict is one path", () => {
  const drawn = strip([run("dead"), run("alive"), run("alive")]);
  expect(drawn).toEqual({
    width: 11,
    runs: 3,
    paths: [
      { standing: "alive", d: "M0 0h3v20h-3zM4 0h3v20h-3z" },
      { standing: "dead", d: "M8 14h3v6h-3z" },
    ],
    words: "3 runs: 2 alive, 1 dead",
  });
});

test("a run without a verdict is drawn and named as such", () => {
  expect(strip([run(null)]).words).toBe("1 run: 1 without a verdict");
});

test("the shapes of all verdicts differ", () => {
  const verdicts = ["alive", "unverifiable", "degraded", "dead", null] as const;
  const shapes = verdicts.map((verdict) => strip([run(verdict)]).paths[0]!.d);
  expect(new Set(shapes).size).toBe(verdicts.length);
});

test("runs beyond the limit are left out, oldest first", () => {
  const drawn = strip([run("dead"), ...Array.from({ length: STRIP_RUNS }, () => run("alive"))]);
  expect(drawn.words).toBe(`${STRIP_RUNS} runs: ${STRIP_RUNS - 1} alive, 1 dead`);
});
