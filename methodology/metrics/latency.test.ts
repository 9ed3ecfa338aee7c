import { expect, test } from "vitest";
import { type Difference, entry, hours } from "../testing/observations.ts";
import { latency } from "./latency.ts";

function over(runs: readonly (readonly [number, Difference])[], asOf: number) {
  const history = runs.map(([hour, difference]) => entry({ at: hours(hour), ...difference }));
  return latency({ history, asOf: hours(asOf) }).opening;
}

test.each<[string, readonly (readonly [number, Difference])[], unknown]>([
  ["one opening is both percentiles", [[0, { latency: 80 }]], { p50: 80, p95: 80, n: 1 }],
  [
    "each percentile is a time that was measured",
    [10, 30, 20, 400].map((time, hour) => [hour, { latency: time }] as const),
    { p50: 20, p95: 400, n: 4 },
  ],
  ["an opening of 0 ms counts", [[0, { latency: 0 }]], { p50: 0, p95: 0, n: 1 }],
  [
    "a run without an opening is left out",
    [
      [0, {}],
      [1, { latency: 80 }],
    ],
    { p50: 80, p95: 80, n: 1 },
  ],
  ["without any opening nothing is shown", [[0, {}]], null],
  ["without any run nothing is shown", [], null],
])("%s", (_, runs, expected) => {
  expect(over(runs, 24)).toEqual(expected);
});

test("openings before the last 30 days do not count, nor do later ones", () => {
  const runs = [0, 1, 24 * 30, 24 * 31].map((hour) => [hour, { latency: hour }] as const);
  expect(over(runs, 24 * 30 + 0.5)).toEqual({ p50: 1, p95: 720, n: 2 });
});

test("a fact that is no time is no time", () => {
  const odd = entry({});
  odd.observation.facts["latency"] = { opening: "fast" };
  expect(latency({ history: [odd], asOf: hours(1) })).toEqual({ opening: null });
});
