import { describe, expect, test } from "vitest";
import {
  type Answer,
  httpTranscript,
  INITIALIZE,
  METHOD_NOT_FOUND,
  modernTranscript,
  stdioTranscript,
} from "../testing/transcripts.ts";
import { bytesOf } from "../transcript/body.ts";
import type { Event, Target } from "../transcript/schema.ts";
import check from "./L0.initialize.ts";

const opened = (initialize: Answer) =>
  check.run(httpTranscript({ answers: { initialize }, requests: [] }));

describe("passed", () => {
  test("when initialize returned a result", () => {
    expect(check.run(httpTranscript())).toEqual({
      outcome: "passed",
      because: "initialize returned a result after 10 ms.",
      evidence: [3, 4, 6],
    });
    expect(check.run(stdioTranscript())).toMatchObject({ outcome: "passed" });
  });

  test("by server/discover, with a reason that verdict/1.0.0 reads as a failure", () => {
    expect(check.run(modernTranscript())).toMatchObject({
      outcome: "passed",
      reason: "era-modern",
    });
  });

  test.each<[string, Answer]>([
    ["another id", { result: INITIALIZE, id: 0 }],
    ["no jsonrpc member", { raw: JSON.stringify({ id: 1, result: INITIALIZE }) }],
    ["HTTP 202", { result: INITIALIZE, status: 202 }],
    ["no content type", { result: INITIALIZE, headers: { "content-type": "" } }],
  ])("also with %s, which is for another check to judge", (_, answer) => {
    expect(opened(answer)).toMatchObject({ outcome: "passed" });
  });
});

describe("failed", () => {
  test.each<[string, Answer, string]>([
    ["an error", { error: METHOD_NOT_FOUND }, "rpc-error"],
    ["a result that is no object", { result: "ok" }, "result-not-an-object"],
    [
      "a page",
      { raw: "<!doctype html>", headers: { "content-type": "text/html" } },
      "not-json-rpc",
    ],
    ["other JSON", { raw: '{"Output":null,"Version":"1"}' }, "not-json-rpc"],
    ["an empty body", { raw: "" }, "closed-without-response"],
    ["HTTP 503", { raw: "busy", status: 503 }, "http-status"],
    ["HTTP 404", { raw: "", status: 404 }, "http-status"],
    ["a broken connection", { broke: "ECONNRESET" }, "closed-without-response"],
    ["silence", { timedOut: 10_000 }, "timeout"],
  ])("with %s", (_, answer, reason) => {
    expect(opened(answer)).toMatchObject({ outcome: "failed", reason });
  });

  test("when the result came too late, even if we were still listening", () => {
    const transcript = httpTranscript();
    const delayed = (ms: number) => {
      const events = transcript.events.map((event) =>
        event.type === "ended" ? { ...event, at: event.at + ms } : event,
      );
      return check.run({ ...transcript, events });
    };
    // The healthy conversation takes 10 ms of its 10 s; a JSON body is complete when it ends.
    expect(delayed(9_990)).toMatchObject({ outcome: "passed" });
    expect(delayed(9_991)).toEqual({
      outcome: "failed",
      reason: "timeout",
      because:
        "Expected a result within 10 s, but initialize took 10001 ms. Move slow start-up work behind it.",
      evidence: [3, 4, 6],
    });
  });

  test("when a log record only looks like a reply", () => {
    const raw = JSON.stringify({ level: 30, id: 1, msg: "start", result: { ok: true } });
    const transcript = stdioTranscript({ answers: { initialize: { raw } }, requests: [] });
    expect(check.run(transcript)).not.toMatchObject({ outcome: "passed" });
  });

  test("when the process ended, and says with which code", () => {
    const transcript = stdioTranscript({ answers: { initialize: { exited: 7 } } });
    expect(check.run(transcript)).toMatchObject({
      outcome: "failed",
      reason: "exited",
      because: expect.stringContaining("exit code 7"),
    });
  });
});

describe("untested", () => {
  test.each([
    [401, "auth-required"],
    [407, "auth-required"],
    [402, "payment-required"],
    [403, "refused"],
    [429, "rate-limited"],
  ])("with HTTP %i, as %s", (status, reason) => {
    expect(opened({ raw: "no", status })).toMatchObject({ outcome: "untested", reason });
  });

  test("when a CDN challenged us", () => {
    expect(
      opened({ raw: "", status: 503, headers: { "cf-mitigated": "challenge" } }),
    ).toMatchObject({
      outcome: "untested",
      reason: "refused",
    });
  });

  test.each<[string, Answer]>([
    ["a 403 that names a key", { raw: '{"error":"API key required"}', status: 403 }],
    ["an error in 200", { error: { code: -32001, message: "Unauthorized: missing access key" } }],
    ["a 400 that names one", { raw: '{"message":"Missing query parameter api_key"}', status: 400 }],
    ["a challenge on a 403", { raw: "", status: 403, headers: { "WWW-Authenticate": "Bearer" } }],
  ])("by words, with %s, which verdict/1.0.0 reads as a failure", (_, answer) => {
    expect(opened(answer)).toMatchObject({
      outcome: "untested",
      reason: "auth-required-by-words",
      because: expect.stringContaining("asks for credentials"),
    });
  });

  test.each([
    ["BRAVE_API_KEY environment variable is required", "untested", "needs-configuration"],
    ["connect ECONNREFUSED 127.0.0.1:5432", "untested", "needs-service"],
    ["listen EADDRINUSE: address already in use :::3000", "cantTell", "control-failed"],
    ["Usage: x [command]\n  --api-key <key>  API key (required)", "failed", "exited"],
    ["Error: Cannot find module './x'", "failed", "exited"],
  ])("when a process ended with %j, on either output: %s, %s", (words, outcome, reason) => {
    for (const channel of ["stderr", "stdout"] as const) {
      for (const code of [0, 1]) {
        const transcript = stdioTranscript({ answers: { initialize: { exited: code } } });
        const data = bytesOf(`starting\n${words}\n`);
        const at = transcript.events.findIndex(({ type }) => type === "exited");
        const events = transcript.events.toSpliced(at, 0, {
          type: "received",
          at: 15,
          channel,
          data,
        });
        expect(check.run({ ...transcript, events })).toMatchObject({ outcome, reason });
      }
    }
  });

  test("not by what a process said that went on", () => {
    const transcript = stdioTranscript({
      noise: "API_KEY is not set\n",
      answers: { initialize: { timedOut: 10_000 } },
      requests: [],
    });
    expect(check.run(transcript)).toMatchObject({ outcome: "failed", reason: "timeout" });
  });

  test("not by what an earlier process said", () => {
    const transcript = stdioTranscript({ answers: { initialize: { exited: 1 } } });
    const earlier: Event[] = [
      { type: "spawned", at: 0, argv: ["x"], environment: [] },
      { type: "received", at: 0, channel: "stderr", data: bytesOf("API_KEY is not set\n") },
    ];
    expect(check.run({ ...transcript, events: [...earlier, ...transcript.events] })).toMatchObject({
      outcome: "failed",
      reason: "exited",
    });
  });

  test("when a process ended whose listing requires what only its user has", () => {
    const target: Target = {
      kind: "package",
      key: "npm:x",
      registry: "npm",
      identifier: "x",
      version: "1.0.0",
      arguments: [],
      environment: {},
      missing: ["API_KEY"],
    };
    const transcript = stdioTranscript({ target, answers: { initialize: { exited: 1 } } });
    expect(check.run(transcript)).toMatchObject({
      outcome: "untested",
      reason: "needs-configuration",
      because: expect.stringContaining("API_KEY"),
    });
  });

  test("when the server names only versions that are newer than ours", () => {
    const error = { code: -32022, message: "no", data: { supported: ["2099-01-01"] } };
    expect(opened({ error, status: 400 })).toMatchObject({
      outcome: "untested",
      reason: "newer-protocol",
    });
  });
});

test("cannot be told when the opening was never sent", () => {
  const transcript = httpTranscript();
  const events = transcript.events.slice(0, 3);
  expect(check.run({ ...transcript, events })).toMatchObject({ outcome: "cantTell" });
});
