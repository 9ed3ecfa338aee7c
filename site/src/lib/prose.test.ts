import { expect, test } from "vitest";
import { href } from "./href.ts";
import { proseHref } from "./prose.ts";

const FROM = "/anywhere/methodology/verdict/1.1.0/README.md";
const BUILT = [{ id: "L0.tls" }];
const REPOSITORY = "https://example.org/repo";

test.each([
  ["another version's README", "../1.0.0/README.md", href("/methodology/verdict/1.0.0/")],
  ["another version's folder", "../1.0.0/", href("/methodology/verdict/1.0.0/")],
  ["another version's folder, no slash", "../1.0.0", href("/methodology/verdict/1.0.0/")],
  [
    "another family, with a fragment",
    "../../composite/1.0.0/README.md#a",
    href("/methodology/composite/1.0.0/#a"),
  ],
  ["a check", "../../../probe/checks/L0.tls.ts", href("/checks/L0.tls/")],
  ["a check, with a fragment", "../../../probe/checks/L0.tls.ts#a", href("/checks/L0.tls/#a")],
  ["a check that is not built: nowhere", "../../../probe/checks/L2.call_ok.ts", null],
  [
    "a check's test",
    "../../../probe/checks/L0.tls.test.ts",
    `${REPOSITORY}/blob/main/probe/checks/L0.tls.test.ts`,
  ],
  [
    "code of the family",
    "../assessment.ts",
    `${REPOSITORY}/blob/main/methodology/verdict/assessment.ts`,
  ],
  ["code beside it", "index.ts", `${REPOSITORY}/blob/main/methodology/verdict/1.1.0/index.ts`],
  ["a rule list", "../../../rules/limits.json", `${REPOSITORY}/blob/main/rules/limits.json`],
  ["a fragment of the same page", "#reasons", "#reasons"],
  ["a full address", "https://example.com/x", "https://example.com/x"],
])("%s", (_, url, expected) => {
  expect(proseHref(url, FROM, BUILT, REPOSITORY)).toBe(expected);
});
