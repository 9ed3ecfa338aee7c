import { describe, expect, test } from "vitest";
import { type Answer, httpTranscript, stdioTranscript, TOOLS } from "../testing/transcripts.ts";
import check from "./L1.unknown_method.ts";

const answered = (answer: Answer) =>
  check.run(httpTranscript({ answers: { "probe/unknown-method": answer } }));

const error = (code: unknown, rest: object = {}): Answer => ({
  error: { code, message: "no" },
  ...rest,
});

describe("passed with", () => {
  test("−32601", () => {
    expect(answered(error(-32601))).toEqual({
      outcome: "passed",
      because: "Answered with error -32601.",
      evidence: [14, 15, 17],
    });
  });
  test.each<[string, Answer]>([
    ["HTTP 404", error(-32601, { status: 404 })],
    ["HTTP 403", error(-32601, { status: 403 })],
    ["HTTP 400 and no id", error(-32601, { status: 400, id: null })],
    ["other words and data", { error: { code: -32601, message: "nö", data: { a: 1 } } }],
    ["a wrong id, which the envelope answers for", error(-32601, { id: 0 })],
  ])("−32601 and %s", (_, answer) => {
    expect(answered(answer)).toMatchObject({ outcome: "passed" });
  });
  test("−32601 over stdio", () => {
    expect(check.run(stdioTranscript())).toMatchObject({ outcome: "passed" });
  });
});

describe("failed with", () => {
  test("−32602, and says that an SDK does so", () => {
    expect(answered(error(-32602))).toMatchObject({
      outcome: "failed",
      reason: "wrong-error-code",
      because: expect.stringContaining("Version 1 of the Python SDK"),
    });
  });
  test.each([-32000, -32603, "-32601", null])("code %s", (code) => {
    expect(answered(error(code))).toMatchObject({ outcome: "failed", reason: "wrong-error-code" });
  });
  test.each<[string, Answer, string]>([
    ["a result", { result: {} }, "result-for-unknown-method"],
    ["silence", { timedOut: 10_000 }, "timeout"],
    ["a page", { raw: "<html>", status: 404 }, "http-status"],
    ["an empty body", { raw: "" }, "closed-without-response"],
    ["a broken connection", { broke: "ECONNRESET" }, "closed-without-response"],
  ])("%s", (_, answer, reason) => {
    expect(answered(answer)).toMatchObject({ outcome: "failed", reason });
  });
});

describe("untested", () => {
  test.each<[string, Answer, string]>([
    ["a login", { raw: "", status: 401 }, "auth-required"],
    ["a login that speaks JSON-RPC", error(-32001, { status: 401, id: null }), "auth-required"],
    ["a rate limit that speaks JSON-RPC", error(-32000, { status: 429 }), "rate-limited"],
  ])("when it met %s", (_, answer, reason) => {
    expect(answered(answer)).toMatchObject({ outcome: "untested", reason });
  });
  test("when a login ended the conversation before it", () => {
    const transcript = httpTranscript({
      answers: { "tools/list": { raw: "", status: 401 } },
      requests: [{ method: "tools/list", purpose: "list" }],
    });
    expect(check.run(transcript)).toMatchObject({ outcome: "untested", reason: "auth-required" });
  });
  test("in a liveness run, which goes no further than L0", () => {
    const transcript = httpTranscript({ kind: "liveness", requests: [] });
    expect(check.run(transcript)).toMatchObject({ outcome: "untested", reason: "not-asked" });
  });
  test("when the conversation ended before it", () => {
    const transcript = httpTranscript({
      answers: { "tools/list": { result: TOOLS } },
      requests: [{ method: "tools/list", purpose: "list" }],
    });
    expect(check.run(transcript)).toMatchObject({ outcome: "untested", reason: "not-reached" });
  });
});
