/** The official conformance suite tests the probe as an MCP client, as it would test any other. */
import { beforeAll, describe, expect, test } from "vitest";
import { expectedFailures } from "./expected-failures.ts";
import { clientRuns, type Result, runAll } from "./suite.ts";

const runs = await clientRuns();
let results: readonly Result[] = [];

beforeAll(async () => {
  results = await runAll(runs);
}, 300_000);

const expected = expectedFailures.flatMap(({ fails }) =>
  Object.entries(fails).flatMap(([scenario, checks]) =>
    checks.map((check) => ({ scenario, check })),
  ),
);

test("the suite has the scenarios that a client of both eras is tested with", () => {
  const named = runs.map(({ scenario, version }) => `${scenario} ${version ?? "extension"}`);
  expect(named).toEqual(
    expect.arrayContaining([
      "initialize 2025-11-25",
      "tools_call 2025-11-25",
      "tools_call 2026-07-28",
      "request-metadata 2026-07-28",
      "auth/2025-03-26-oauth-metadata-backcompat 2025-03-26",
      "auth/dpop extension",
    ]),
  );
});

describe.each(runs)("$scenario $version", ({ scenario, version }) => {
  test("fails in nothing but what is expected and explained", () => {
    const { failed, output } = resultOf(scenario, version);
    const known = expected.filter((one) => one.scenario === scenario).map(({ check }) => check);
    expect(
      failed.filter((check) => !known.includes(check)),
      output,
    ).toEqual([]);
  });
});

test.each([
  ["initialize", "2025-11-25"],
  ["json-schema-ref-no-deref", "2026-07-28"],
  ["request-metadata", "2026-07-28"],
  ["http-standard-headers", "2026-07-28"],
  ["http-invalid-tool-headers", "2026-07-28"],
  ["tools_call", "2025-11-25"],
  ["tools_call", "2026-07-28"],
  ["sse-retry", "2025-11-25"],
])("%s %s passes as a whole, because of what the probe sent", (scenario, version) => {
  const { passed, failed } = resultOf(scenario, version);
  expect(failed).toEqual([]);
  expect(passed).not.toEqual([]);
});

test.each(expected)("$scenario still fails $check, as the list says", ({ scenario, check }) => {
  const failing = results.filter((one) => one.scenario === scenario && one.failed.includes(check));
  expect(failing, "Nothing fails there any more: take it off the list.").not.toEqual([]);
});

test("no check stands on the list twice", () => {
  const names = expected.map(({ scenario, check }) => `${scenario} ${check}`);
  expect(new Set(names).size).toBe(names.length);
});

test("every message that the probe sends is valid by the schema of its version", () => {
  const valid = results.filter(({ passed }) => passed.includes("wire-schema-valid"));
  expect(new Set(valid.map(({ version }) => version))).toContain("2026-07-28");
  expect(results.flatMap(({ failed }) => failed)).not.toContain("wire-schema-valid");
});

function resultOf(scenario: string, version: string | undefined): Result {
  return results.find((one) => one.scenario === scenario && one.version === version)!;
}
