import { expect, test } from "vitest";
import { builtHref, notBuilt } from "./checks.ts";
import { href } from "./href.ts";

const built = [{ id: "L0.tls" }, { id: "L1.envelope" }];

test("a check that is built is linked to its page", () => {
  expect(builtHref("L0.tls", built)).toBe(href("/checks/L0.tls/"));
});

test.each([
  ["is not built", "L2.call_ok"],
  ["is the successor of one that is built", "L0.tls@2"],
  ["has a name that begins like one", "L0.tl"],
])("a check that %s has no address", (_, id) => {
  expect(builtHref(id, built)).toBeNull();
});

test("lists what is counted and not built, each once", () => {
  const methodologies = [
    { checks: ["L0.tls", "L2.timeout", "L2.call_ok"] },
    { checks: ["L2.call_ok", "L1.envelope"] },
  ];
  expect(notBuilt(methodologies, built)).toEqual(["L2.timeout", "L2.call_ok"]);
});

test("lists nothing when everything is built", () => {
  expect(notBuilt([{ checks: ["L0.tls"] }], built)).toEqual([]);
});
