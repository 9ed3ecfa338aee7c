import { expect, test } from "vitest";
import { freshness } from "./freshness.ts";

const CHECKED = "2026-11-30T12:00:00.000Z";
const STALE = "2026-12-02T12:00:00.000Z";
const HIDDEN = "2026-12-07T12:00:00.000Z";

test.each([
  ["a verdict is fresh at once", CHECKED, "fresh"],
  ["a verdict is fresh just before 48 hours", "2026-12-02T11:59:59.999Z", "fresh"],
  ["a verdict is stale from 48 hours on", STALE, "stale"],
  ["a verdict is stale just before 7 days", "2026-12-07T11:59:59.999Z", "stale"],
  ["a verdict is hidden from 7 days on", HIDDEN, "hidden"],
])("%s", (_, asOf, expected) => {
  expect(freshness(CHECKED, asOf)).toEqual({
    staleAt: STALE,
    hiddenAt: HIDDEN,
    freshness: expected,
  });
});
