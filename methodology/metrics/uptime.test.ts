import { expect, test } from "vitest";
import { type Difference, entry, hours, NOT_ASKED } from "../testing/observations.ts";
import { uptime } from "./uptime.ts";

const stopped = (reason: string): Difference => ({ attempts: [{ stop: ["untested", reason] }] });
const failed: Difference = { attempts: [{ stop: ["failed", "timeout"] }] };

function over(runs: readonly (readonly [number, Difference])[], asOf: number) {
  const history = runs.map(([hour, difference]) => entry({ at: hours(hour), ...difference }));
  return uptime({ history, asOf: hours(asOf) });
}

const alone = (difference: Difference) => over([[0, difference]], 1)["24h"];

test.each<[string, Difference]>([
  ["a healthy server is up", {}],
  ["a liveness pass is up", { kind: "liveness", checks: NOT_ASKED }],
  ["a second attempt that passed is up", { attempts: [{ stop: ["failed", "reset"] }, {}] }],
  ["a broken contract is up", { checks: { "L1.envelope": ["failed", "a"] } }],
  ["a login is up", stopped("auth-required")],
  ["a login in words is up", stopped("auth-required-by-words")],
  ["a price is up", stopped("payment-required")],
  ["a slow-down is up", stopped("rate-limited")],
  ["a refusal is up", stopped("refused")],
  ["a newer protocol is up", stopped("newer-protocol")],
])("%s", (_, difference) => {
  expect(alone(difference)).toEqual({ share: 10_000, n: 1 });
});

test("a failure is down, however many attempts were made", () => {
  expect(alone(failed)).toEqual({ share: 0, n: 1 });
});

test.each<[string, Difference]>([
  ["a failed control", { attempts: [{ stop: ["failed", "timeout"], control: "failed" }] }],
  ["a control that a check names", stopped("control-failed")],
  ["a crash of ours", { attempts: [{ stop: ["cantTell", "check-crashed"] }] }],
  ["missing configuration", stopped("needs-configuration")],
  ["a missing service", stopped("needs-service")],
  ["a package that cannot be fetched", stopped("package-unavailable")],
])("%s is left out", (_, difference) => {
  expect(alone(difference)).toBeNull();
  expect(
    over(
      [
        [0, difference],
        [1, {}],
      ],
      2,
    )["24h"],
  ).toEqual({ share: 10_000, n: 1 });
});

test("each window counts its own observations", () => {
  const runs = [
    [0, failed],
    [24 * 25, failed],
    [24 * 28, {}],
    [24 * 29.5, {}],
  ] as const;
  expect(over(runs, 24 * 30 - 1)).toEqual({
    "24h": { share: 10_000, n: 1 },
    "7d": { share: 6666, n: 3 },
    "30d": { share: 5000, n: 4 },
  });
});

test("an observation that is as old as the window is outside", () => {
  const only = entry({});
  const asOf = (later: number) => new Date(Date.parse(only.endedAt) + later).toISOString();
  const day = 86_400_000;
  expect(uptime({ history: [only], asOf: asOf(day - 1) })["24h"]).toEqual({ share: 10_000, n: 1 });
  expect(uptime({ history: [only], asOf: asOf(day) })["24h"]).toBeNull();
});

test("what came after the moment does not count", () => {
  expect(
    over(
      [
        [0, {}],
        [2, failed],
      ],
      1,
    )["24h"],
  ).toEqual({ share: 10_000, n: 1 });
});

test("nothing is shown for nothing", () => {
  expect(uptime({ history: [], asOf: hours(0) })).toEqual({ "24h": null, "7d": null, "30d": null });
});
