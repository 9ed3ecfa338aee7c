import { describe, expect, test } from "vitest";
import { protocolVersions } from "../rules.ts";
import { httpTranscript, METHOD_NOT_FOUND } from "../testing/transcripts.ts";
import { newerProtocol, newerVersionsIn } from "./newer-protocol.ts";

const UNSUPPORTED = { code: -32022, message: "Unsupported protocol version" };

const refused = (data: unknown) =>
  newerProtocol(
    httpTranscript({
      answers: { initialize: { error: { ...UNSUPPORTED, data } } },
      requests: [],
    }),
  );

const PUBLISHED = protocolVersions.map(({ version }) => version);

describe("a server is ahead of us", () => {
  test.each([[["2999-01-01"]], [["2999-01-01", "2999-06-30"]]])("with %j", (supported) => {
    expect(refused({ supported, requested: PUBLISHED[0] })).toEqual(supported);
  });
});

describe("a server is not ahead of us with", () => {
  test.each<[string, unknown]>([
    ["a published version among its own", { supported: ["2999-01-01", PUBLISHED.at(-1)] }],
    ["an older version", { supported: ["2020-01-01"] }],
    ["a version that is no date", { supported: ["v9"] }],
    ["a day that does not exist", { supported: ["2999-99-99"] }],
    ["a date and more", { supported: ["2999-01-01-draft"] }],
    ["a number among them", { supported: ["2999-01-01", 29990101] }],
    ["an empty list", { supported: [] }],
    ["one text instead of a list", { supported: "2999-01-01" }],
    ["a list in another member", { requested: ["2999-01-01"] }],
    ["an inherited list", JSON.parse('{"__proto__":{"supported":["2999-01-01"]}}')],
    ["no data", undefined],
    ["data that is a list", ["2999-01-01"]],
  ])("%s", (_, data) => {
    expect(refused(data)).toBeUndefined();
  });

  test("an opening that succeeded", () => {
    expect(newerProtocol(httpTranscript())).toBeUndefined();
  });

  test("such words in answer to anything but the opening", () => {
    const error = { ...METHOD_NOT_FOUND, data: { supported: ["2999-01-01"] } };
    const transcript = httpTranscript({ answers: { "tools/list": { error } } });
    expect(newerProtocol(transcript)).toBeUndefined();
  });
});

test("two refusals of the opening are read together", () => {
  const refusal = (version: string) => ({
    error: { ...UNSUPPORTED, data: { supported: [version] } },
  });
  const both = (second: string) =>
    newerProtocol(
      httpTranscript({
        answers: { initialize: [refusal("2999-01-01"), refusal(second)] },
        requests: [{ method: "initialize", purpose: "opening" }],
      }),
    );
  expect(both("2999-02-02")).toEqual(["2999-01-01", "2999-02-02"]);
  expect(both(PUBLISHED[0]!)).toBeUndefined();
});

describe("a result goes on with newer versions alone", () => {
  test.each<[unknown, readonly string[]]>([
    [{ protocolVersion: "2999-01-01" }, ["2999-01-01"]],
    [{ supportedVersions: ["2999-01-01", "2999-02-02"] }, ["2999-01-01", "2999-02-02"]],
  ])("%j", (result, newer) => {
    expect(newerVersionsIn(result)).toEqual(newer);
  });

  test.each([
    {},
    { protocolVersion: PUBLISHED[0] },
    { protocolVersion: 29990101 },
    { protocolVersion: "2024-10-07" },
    { supportedVersions: [] },
    { supportedVersions: "2999-01-01" },
    { supportedVersions: ["2999-01-01", PUBLISHED.at(-1)] },
    { protocolVersion: PUBLISHED[0], supportedVersions: ["2999-01-01"] },
  ])("not in %j", (result) => {
    expect(newerVersionsIn(result)).toBeUndefined();
  });
});
