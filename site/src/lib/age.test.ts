import { describe, expect, test } from "vitest";
import { age, ageFurther } from "./age.ts";

const NOW = Date.parse("2026-11-30T12:00:00.000Z");

describe("age", () => {
  test.each([
    ["a result of this minute", "2026-11-30T11:59:30.000Z", "now"],
    ["minutes", "2026-11-30T11:15:00.000Z", "45 min ago"],
    ["hours", "2026-11-30T09:00:00.000Z", "3 h ago"],
    ["hours up to two days, the limit of freshness", "2026-11-28T12:00:01.000Z", "47 h ago"],
    ["days from then on", "2026-11-28T12:00:00.000Z", "2 d ago"],
    ["nothing for a time ahead of the clock", "2026-11-30T12:00:01.000Z", ""],
    ["nothing for what is no time", "soon", ""],
  ])("%s", (_, time, expected) => {
    expect(age(time, NOW)).toBe(expected);
  });
});

describe("ageFurther", () => {
  const at = { stale: "2026-11-30T00:00:00.000Z", hidden: "2026-12-05T00:00:00.000Z" };
  test.each([
    ["stays fresh before the limit", "fresh", "2026-11-29T23:59:59.999Z", "fresh"],
    ["turns stale at the limit", "fresh", "2026-11-30T00:00:00.000Z", "stale"],
    ["turns hidden at the second limit", "fresh", "2026-12-05T00:00:00.000Z", "hidden"],
    ["never turns fresh again on a slow clock", "stale", "2020-01-01T00:00:00.000Z", "stale"],
    ["never leaves hidden on a slow clock", "hidden", "2020-01-01T00:00:00.000Z", "hidden"],
  ] as const)("%s", (_, printed, now, expected) => {
    expect(ageFurther(printed, at, Date.parse(now))).toBe(expected);
  });
});
