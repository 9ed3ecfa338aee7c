import { expect, test } from "vitest";
import { byLayer, STANDINGS } from "./verdicts.ts";

test("unverifiable never stands at the low end", () => {
  expect(STANDINGS.indexOf("unverifiable")).toBeLessThan(STANDINGS.indexOf("degraded"));
});

test("rows are grouped by layer in the order of layers, and empty layers are left out", () => {
  const groups = byLayer(["L2.call_ok", "L0.tls", "L0.reachable"], (id) => id);
  expect(groups).toEqual([
    { layer: "L0", rows: ["L0.tls", "L0.reachable"] },
    { layer: "L2", rows: ["L2.call_ok"] },
  ]);
});
