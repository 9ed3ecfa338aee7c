import { expect, test } from "vitest";
import { share } from "./share.ts";

test.each([
  ["all is 10000", 3, 3, 10_000],
  ["none is 0", 0, 3, 0],
  ["a third is rounded down", 1, 3, 3333],
  ["all but one of very many is never shown as all", 99_999, 100_000, 9999],
  ["nothing of nothing has no share", 0, 0, null],
])("%s", (_, part, whole, expected) => {
  expect(share(part, whole)).toBe(expected);
});
