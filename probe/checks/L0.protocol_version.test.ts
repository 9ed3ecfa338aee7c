import { describe, expect, test } from "vitest";
import { DISCOVER, httpTranscript, INITIALIZE, modernTranscript } from "../testing/transcripts.ts";
import check from "./L0.protocol_version.ts";

const legacy = (protocolVersion: unknown) =>
  check.run(
    httpTranscript({ answers: { initialize: { result: { ...INITIALIZE, protocolVersion } } } }),
  );

const modern = (supportedVersions: unknown) =>
  check.run(
    modernTranscript({
      answers: { "server/discover": { result: { ...DISCOVER, supportedVersions } } },
    }),
  );

describe("passed with", () => {
  test.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"])(
    "%s",
    (version) => {
      expect(legacy(version)).toMatchObject({ outcome: "passed" });
    },
  );
  test("a modern list that holds the version we used", () => {
    expect(modern(["2099-01-01", "2026-07-28"])).toEqual({
      outcome: "passed",
      because: 'supportedVersions holds "2026-07-28".',
      evidence: [3, 4, 6],
    });
  });
});

describe("failed with", () => {
  test.each([
    ["a version that SDKs list and nobody published", "2024-10-07"],
    ["a draft", "DRAFT-2026-v1"],
    ["nonsense", "not-a-version"],
    ["a number", 20251125],
    ["nothing", undefined],
  ])("%s", (_, version) => {
    expect(legacy(version)).toMatchObject({ outcome: "failed", reason: "unpublished-version" });
  });
  test.each([
    ["a list without our version", ["2025-11-25"]],
    ["an empty list", []],
    ["no list", "2026-07-28"],
    ["nothing", undefined],
  ])("a modern result that has %s", (_, supported) => {
    expect(modern(supported)).toMatchObject({ outcome: "failed", reason: "unpublished-version" });
  });
});

test("untested with versions that are newer than ours alone", () => {
  const newer = { outcome: "untested", reason: "newer-protocol" };
  expect(legacy("2999-01-01")).toMatchObject(newer);
  expect(modern(["2999-01-01"])).toMatchObject(newer);
  expect(modern(["2999-01-01", "2025-11-25"])).toMatchObject({ outcome: "failed" });
});

test("cannot be told without an opening", () => {
  const refused = httpTranscript({
    answers: { initialize: { raw: "", status: 500 } },
    requests: [],
  });
  expect(check.run(refused)).toMatchObject({ outcome: "cantTell" });
});
