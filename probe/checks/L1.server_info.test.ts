import { describe, expect, test } from "vitest";
import { DISCOVER, httpTranscript, INITIALIZE, modernTranscript } from "../testing/transcripts.ts";
import check from "./L1.server_info.ts";

const legacy = (serverInfo: unknown) =>
  check.run(httpTranscript({ answers: { initialize: { result: { ...INITIALIZE, serverInfo } } } }));

const modern = (result: unknown, tools: unknown = { tools: [] }) =>
  check.run(
    modernTranscript({
      answers: { "server/discover": { result }, "tools/list": { result: tools } },
    }),
  );

const { _meta, ...withoutMeta } = DISCOVER;

describe("passed with", () => {
  test("a name and a version", () => {
    expect(legacy({ name: "x", version: "1" })).toEqual({
      outcome: "passed",
      because: 'The server is "x", version "1".',
      evidence: [3, 4, 6],
    });
  });
  test("both in _meta of the modern opening", () => {
    expect(modern(DISCOVER)).toMatchObject({ outcome: "passed" });
  });
  test("both in _meta of any other modern result", () => {
    expect(modern(withoutMeta, { tools: [], _meta })).toMatchObject({ outcome: "passed" });
  });
});

describe("failed with", () => {
  test.each([
    ["an empty name", { name: "", version: "1" }],
    ["a blank version", { name: "x", version: " " }],
    ["a version that is a number", { name: "x", version: 1 }],
    ["a text in place of both", "x 1"],
    ["null", null],
  ])("%s", (_, info) => {
    expect(legacy(info)).toMatchObject({ outcome: "failed", reason: "server-info-incomplete" });
  });
  test("none at all", () => {
    expect(legacy(undefined)).toMatchObject({ outcome: "failed", reason: "server-info-absent" });
  });
  test("an empty one in the modern era", () => {
    const meta = { "io.modelcontextprotocol/serverInfo": { name: "", version: "" } };
    expect(modern({ ...withoutMeta, _meta: meta })).toMatchObject({ outcome: "failed" });
  });
});

test("untested when the modern era's recommendation was not followed", () => {
  expect(modern(withoutMeta)).toMatchObject({ outcome: "untested", reason: "server-info-absent" });
});

test("cannot be told without an opening", () => {
  const refused = httpTranscript({
    answers: { initialize: { raw: "", status: 500 } },
    requests: [],
  });
  expect(check.run(refused)).toMatchObject({ outcome: "cantTell" });
});
