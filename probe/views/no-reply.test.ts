import { describe, expect, test } from "vitest";
import { limit } from "../rules.ts";
import {
  type Answer,
  httpTranscript,
  METHOD_NOT_FOUND,
  stdioTranscript,
} from "../testing/transcripts.ts";
import { bytesOf } from "../transcript/body.ts";
import type { Event, Transcript } from "../transcript/schema.ts";
import { type Exchange, exchanges } from "./exchanges.ts";
import { evidenceOf, exitAround, insteadOf, notAsked, withoutAnswer } from "./no-reply.ts";

/** A conversation that is all opening, with these events after the request. */
const http = (...events: Event[]): Transcript => and(upToOpening(httpTranscript()), events);
const stdio = (...events: Event[]): Transcript => and(upToOpening(stdioTranscript()), events);

const answer = (initialize: Answer) => httpTranscript({ answers: { initialize }, requests: [] });

const opening = (transcript: Transcript): Exchange => exchanges(transcript)[0]!;
const instead = (transcript: Transcript) => insteadOf(transcript, opening(transcript));

function upToOpening(transcript: Transcript): Transcript {
  const sent = transcript.events.findIndex(({ type }) => type === "sent");
  return { ...transcript, events: transcript.events.slice(0, sent + 1) };
}

function and(transcript: Transcript, events: readonly Event[]): Transcript {
  return { ...transcript, events: [...transcript.events, ...events] };
}

const responded = (status: number, type = "application/json"): Event => ({
  type: "responded",
  at: 20,
  exchange: 1,
  status,
  headers: [["content-type", type]],
});
const received = (channel: 1 | "stderr", text: string): Event => ({
  type: "received",
  at: 20,
  channel,
  data: bytesOf(text),
});
const timedOut: Event = { type: "timed-out", at: 10_010, exchange: 1, after: 10_000 };
const capped = (bytes: number): Event => ({ type: "capped", at: 20, channel: 1, limit: bytes });
const ended = (channel: 1 | "stdout", at = 20): Event => ({ type: "ended", at, channel });
const exited = (code: number | null, signal: string | null = null): Event => ({
  type: "exited",
  at: 30,
  code,
  signal,
});
const stopping: Event = { type: "stopping", at: 25, by: "SIGTERM" };
const spawned: Event = { type: "spawned", at: 40, argv: ["node"], environment: [] };

const MIB = 1024 * 1024;
const RESULT = '{"jsonrpc":"2.0","id":1,"result":{}}';
const NOTE = 'data: {"jsonrpc":"2.0","method":"notifications/message"}\n\n';

describe("insteadOf", () => {
  test.each<[string, Transcript, string, string]>([
    [
      "an error",
      answer({ error: METHOD_NOT_FOUND }),
      "rpc-error",
      'answered with error -32601: "Method not found"',
    ],
    ["an error that is no object", answer({ error: "no" }), "rpc-error", 'an error that is "no"'],
    [
      "a result of another kind",
      answer({ result: ["ok"] }),
      "result-not-an-object",
      "a result that is an array",
    ],
    ["silence", http(timedOut), "timeout", "did not answer within 10 s"],
    [
      "an answer after the deadline",
      http(responded(200), timedOut, received(1, RESULT), ended(1, 12_510)),
      "timeout",
      "did not answer within 10 s; the answer came after 12.5 s",
    ],
    [
      "a message over the cap",
      http(responded(200), capped(16 * MIB)),
      "size-cap",
      "sent more than 16 MiB as one message",
    ],
    ["an exit code", stdio(exited(7)), "exited", "ended its process (exit code 7) instead"],
    ["a signal", stdio(exited(null, "SIGSEGV")), "exited", "ended its process (signal SIGSEGV)"],
    ["an exit behind a closed pipe", stdio(ended("stdout"), exited(0)), "exited", "(exit code 0)"],
    ["HTTP 503", answer({ raw: "busy", status: 503 }), "http-status", "HTTP 503"],
    ["HTTP 500 without an end", http(responded(500), timedOut), "http-status", "HTTP 500"],
    [
      "a redirect, with where it leads",
      answer({ raw: "", status: 302, headers: { location: "/login" } }),
      "http-status",
      'answered HTTP 302 to "/login"',
    ],
    [
      "a reset",
      answer({ broke: "ECONNRESET" }),
      "closed-without-response",
      'broke the connection ("ECONNRESET")',
    ],
    [
      "a closed pipe of a process that goes on",
      stdio(ended("stdout")),
      "closed-without-response",
      "closed its standard output without answering",
    ],
    [
      "HTTP 200 without a body",
      answer({ raw: "" }),
      "closed-without-response",
      "ended the response (HTTP 200) without a body",
    ],
    [
      "HTTP 202",
      answer({ raw: "", status: 202 }),
      "closed-without-response",
      "only accepted the request (HTTP 202) and never answered it",
    ],
    [
      "a stream with everything but the answer",
      answer({ raw: NOTE, headers: { "content-type": "text/event-stream" } }),
      "closed-without-response",
      "ended the stream without the answer",
    ],
    [
      "a page",
      answer({ raw: "<html>", headers: { "content-type": "text/html" } }),
      "not-json-rpc",
      'answered with "text/html" that is no JSON-RPC response: "<html>"',
    ],
  ])("names %s", (_, transcript, reason, words) => {
    const found = instead(transcript);
    expect(found).toMatchObject({ fault: "server", reason });
    expect(found.words).toContain(words);
  });

  test.each<[string, Transcript]>([
    ["closed the exchange", http({ type: "closed", at: 20, exchange: 1 })],
    ["stopped the process", stdio(stopping, exited(null, "SIGTERM"))],
    ["stopped writing", http()],
    ["had read all that an attempt may hold", http(responded(200), capped(limit("attempt")))],
  ])("takes the blame when we %s", (_, transcript) => {
    expect(instead(transcript)).toMatchObject({ fault: "probe", reason: "probe-failed" });
  });

  test("shows what a process said last before it ended", () => {
    const transcript = stdio(
      received("stderr", "starting\n"),
      received("stderr", "no key\n"),
      exited(1),
    );
    // Spawned, sent, two pieces of standard error, exited.
    expect(instead(transcript).evidence).toEqual([1, 4, 3]);
  });
});

describe("evidenceOf", () => {
  test("holds the request, the head and what came, in order and once", () => {
    expect(evidenceOf(opening(httpTranscript()))).toEqual([3, 4, 6]);
    expect(evidenceOf(opening(http(responded(200), timedOut)))).toEqual([3, 4, 5]);
  });
  test("is the request alone when nothing came", () => {
    expect(evidenceOf(opening(http()))).toEqual([3]);
  });
});

describe("exitAround", () => {
  const around = (transcript: Transcript) => exitAround(transcript, opening(transcript));

  test("finds the end of the process that was asked", () => {
    expect(around(stdio(exited(3)))).toMatchObject({ code: 3, ref: 2 });
  });
  test.each<[string, Transcript]>([
    ["a process that we stopped", stdio(stopping, exited(0))],
    ["a later process", stdio(spawned, exited(1))],
    ["a process that goes on", stdio()],
    ["a server without a process", http()],
  ])("finds none for %s", (_, transcript) => {
    expect(around(transcript)).toBeUndefined();
  });
});

describe("withoutAnswer", () => {
  const judged = (transcript: Transcript) =>
    withoutAnswer(transcript, opening(transcript), "Expected a result", "Send one.");

  test("is untested at a gate, without advice: nothing is wrong", () => {
    expect(judged(answer({ raw: "", status: 401 }))).toEqual({
      outcome: "untested",
      reason: "auth-required",
      because: "Expected a result, but the server asks for credentials (HTTP 401).",
      evidence: [3, 4, 5],
    });
  });
  test("failed with advice when the server is to blame", () => {
    expect(judged(http(timedOut))).toEqual({
      outcome: "failed",
      reason: "timeout",
      because: "Expected a result, but the server did not answer within 10 s. Send one.",
      evidence: [3, 4],
    });
  });
  test("cannot be told when we are to blame", () => {
    expect(judged(http())).toMatchObject({ outcome: "cantTell", reason: "probe-failed" });
  });
});

describe("notAsked says that", () => {
  test("a liveness run goes no further", () => {
    expect(notAsked(httpTranscript({ kind: "liveness" }), "tools/list")).toMatchObject({
      outcome: "untested",
      reason: "not-asked",
    });
  });
  test("a gate stood before it, with the gate's own reason and evidence", () => {
    const transcript = httpTranscript({
      answers: { "tools/list": { raw: "", status: 402 } },
      requests: [{ method: "tools/list", purpose: "list" }],
    });
    expect(notAsked(transcript, "prompts/list")).toEqual({
      outcome: "untested",
      reason: "payment-required",
      because:
        "prompts/list was not asked, because at tools/list the server asks for payment (HTTP 402).",
      evidence: evidenceOf(exchanges(transcript)[1]!),
    });
  });
  test("the conversation had ended, when a gate met elsewhere explains nothing", () => {
    const transcript = httpTranscript({
      answers: { "auth/metadata": { raw: "", status: 403 } },
      requests: [{ method: "auth/metadata", purpose: "auth-metadata" }],
    });
    expect(notAsked(transcript, "tools/list")).toMatchObject({
      outcome: "untested",
      reason: "not-reached",
      evidence: [],
    });
  });
});
