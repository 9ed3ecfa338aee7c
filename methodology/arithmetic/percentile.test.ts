import { describe, expect, test } from "vitest";
import { percentile } from "./percentile.ts";

const FIVE = [40, 15, 50, 20, 35];

describe("percentile", () => {
  test.each([
    ["the 5th of five values is the smallest", 5, FIVE, 15],
    ["the 30th of five values is the second", 30, FIVE, 20],
    ["the 40th of five values is still the second", 40, FIVE, 20],
    ["the 50th of five values is the middle one", 50, FIVE, 35],
    ["the 100th of five values is the largest", 100, FIVE, 50],
    ["the 50th of two values is the smaller one, not a mean", 50, [10, 20], 10],
    ["the 95th of twenty values is the nineteenth", 95, oneTo(20), 19],
    ["the 95th of twenty-one values is the twentieth", 95, oneTo(21), 20],
    ["any percentile of one value is that value", 1, [7], 7],
    ["numbers are sorted as numbers, not as text", 50, [100, 9, 20], 20],
    ["no values have no percentile", 50, [], undefined],
  ])("%s", (_, percent, values, expected) => {
    expect(percentile(values, percent)).toBe(expected);
  });

  test("the values stay in their order", () => {
    const values = [3, 1, 2];
    percentile(values, 50);
    expect(values).toEqual([3, 1, 2]);
  });
});

function oneTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}
