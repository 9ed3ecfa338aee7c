import { describe, expect, test } from "vitest";
import type { Event, Transcript } from "../transcript/schema.ts";
import { bytesOf } from "../transcript/body.ts";
import {
  type Difference,
  httpTranscript,
  INITIALIZE,
  METHOD_NOT_FOUND,
  modernTranscript,
  stdioTranscript,
  TOOLS,
} from "../testing/transcripts.ts";
import check from "./L1.envelope.ts";

const run = (transcript: Transcript) => check.run(transcript);
const reply = (message: object) => JSON.stringify(message);
const initialize = (answer: object): Difference => ({
  answers: { initialize: { raw: reply(answer) } },
});
const sse = { "content-type": "text/event-stream" };
/** The request with which a client looks for a second era, after the battery. */
const otherEra = { method: "server/discover", purpose: "other-era" } as const;
const list = { method: "tools/list", purpose: "list" } as const;

const passing: [string, Transcript][] = [
  ["a healthy conversation over HTTP", httpTranscript()],
  ["a healthy conversation over stdio", stdioTranscript()],
  ["a healthy conversation of the modern era", modernTranscript()],
  ["blank lines and carriage returns on stdout", stdioTranscript({ noise: "\n\n\r\n" })],
  [
    "a notification before the first reply",
    stdioTranscript({ noise: '{"method":"notifications/message","params":{},"jsonrpc":"2.0"}\n' }),
  ],
  [
    "a ping of the server that uses our id",
    stdioTranscript({ noise: '{"jsonrpc":"2.0","id":1,"method":"ping"}\n' }),
  ],
  [
    "extra members",
    httpTranscript(initialize({ jsonrpc: "2.0", id: 1, result: INITIALIZE, took: 3 })),
  ],
  [
    "an error without an id on HTTP 400",
    httpTranscript({
      answers: { "tools/list": { error: METHOD_NOT_FOUND, id: null, status: 400 } },
    }),
  ],
  [
    "an error page that is JSON but claims no JSON-RPC",
    httpTranscript({ answers: { "tools/list": { raw: '{"error":"not found"}', status: 404 } } }),
  ],
  [
    "an error page that is a JSON list",
    httpTranscript({ answers: { "tools/list": { raw: '[{"error":"x"}]', status: 422 } } }),
  ],
  [
    "an error page with a member called method",
    httpTranscript({ answers: { "tools/list": { raw: '{"method":"POST"}', status: 405 } } }),
  ],
  [
    "an error page of HTML",
    httpTranscript({
      answers: {
        "tools/list": { raw: "<html>", status: 502, headers: { "content-type": "text/html" } },
      },
    }),
  ],
  [
    "words that accept a notification",
    httpTranscript({
      answers: {
        "notifications/initialized": {
          raw: "Accepted",
          status: 202,
          headers: { "content-type": "text/plain" },
        },
      },
    }),
  ],
  [
    "a refusal of the notification by HTTP status, without an id",
    httpTranscript({
      answers: {
        "notifications/initialized": { error: METHOD_NOT_FOUND, id: null, status: 400 },
      },
    }),
  ],
  [
    "a batch in the one version that has batches",
    httpTranscript(batch({ ...INITIALIZE, protocolVersion: "2025-03-26" })),
  ],
  [
    "whatever a look at the other era provokes",
    httpTranscript({
      requests: [list, otherEra],
      answers: { "server/discover": { raw: '{"jsonrpc":1,"id":"no"}' } },
    }),
  ],
  [
    "whatever a look at the other era provokes on the same pipe",
    stdioTranscript({
      requests: [list, otherEra],
      answers: { "server/discover": { raw: '{"jsonrpc":"2.0","id":3,"error":null}' } },
    }),
  ],
  [
    "whatever a refused opening said",
    httpTranscript({
      requests: [{ method: "initialize", purpose: "opening" }, list],
      answers: {
        initialize: [{ error: METHOD_NOT_FOUND, id: "wrong" }, { result: INITIALIZE }],
      },
    }),
  ],
  [
    "a comment and an event without data",
    httpTranscript(events(": hi\n\nevent: ping\ndata: x\n\n")),
  ],
];

function batch(result: object): Difference {
  return {
    answers: { initialize: { raw: reply([{ jsonrpc: "2.0", id: 1, result }]) } },
  };
}

/** `tools/list` answered by a stream: these events, then the reply. */
function events(before: string, after = ""): Difference {
  const message = reply({ jsonrpc: "2.0", id: 2, result: TOOLS });
  const raw = `${before}data: ${message}\n\n${after}`;
  return { answers: { "tools/list": { raw, headers: sse } } };
}

const failing: [string, Transcript, reason: string, because: string | RegExp][] = [
  [
    "a banner on stdout",
    stdioTranscript({ noise: "Starting server\n" }),
    "stdout-noise",
    'A line on stdout is no JSON-RPC message: "Starting server". Write logs and banners to stderr: stdout carries messages alone.',
  ],
  [
    "several lines of it, of which the rest is counted",
    stdioTranscript({ noise: "[Breadcrumb] {\n  message: 'loading',\n}\n" }),
    "stdout-noise",
    / 2 more are faulty too\.$/,
  ],
  [
    "a log record that looks like a reply",
    stdioTranscript({ noise: '{"level":30,"id":1,"msg":"start","result":{"ok":true}}\n' }),
    "stdout-noise",
    /no JSON-RPC message/,
  ],
  [
    "a line that is JSON and no object",
    stdioTranscript({ noise: "null\n" }),
    "stdout-noise",
    /"null"/,
  ],
  [
    "a byte order mark",
    stdioTranscript({
      answers: {
        initialize: { raw: `\uFEFF${reply({ jsonrpc: "2.0", id: 1, result: INITIALIZE })}` },
      },
    }),
    "byte-order-mark",
    /begins with a byte order mark/,
  ],
  [
    "id 0 in every reply",
    stdioTranscript({
      answers: {
        initialize: { result: INITIALIZE, id: 0 },
        "tools/list": { result: TOOLS, id: 0 },
      },
    }),
    "id-mismatch",
    /has id 0, but the request has 1\. .* 1 more is faulty too\.$/,
  ],
  [
    "the id as a string",
    httpTranscript({ answers: { "tools/list": { result: TOOLS, id: "2" } } }),
    "id-mismatch",
    'The response to tools/list has id "2", but the request has 2.',
  ],
  [
    "a number for a string id",
    httpTranscript({ answers: { "probe/unknown-method": { error: METHOD_NOT_FOUND, id: 0 } } }),
    "id-mismatch",
    'the request has "p-1"',
  ],
  [
    "an error without its id on HTTP 200",
    httpTranscript({ answers: { "probe/unknown-method": { error: METHOD_NOT_FOUND, id: null } } }),
    "id-mismatch",
    "has id null",
  ],
  [
    "another id on HTTP 400",
    httpTranscript({ answers: { "tools/list": { error: METHOD_NOT_FOUND, id: 9, status: 400 } } }),
    "id-mismatch",
    "has id 9",
  ],
  [
    "no jsonrpc",
    httpTranscript(initialize({ id: 1, result: INITIALIZE })),
    "jsonrpc-member",
    'has jsonrpc nothing, not "2.0"',
  ],
  [
    "jsonrpc as a number",
    httpTranscript(initialize({ jsonrpc: 2.0, id: 1, result: INITIALIZE })),
    "jsonrpc-member",
    'has jsonrpc 2, not "2.0"',
  ],
  [
    "error null beside a result",
    httpTranscript(initialize({ jsonrpc: "2.0", id: 1, result: INITIALIZE, error: null })),
    "result-and-error",
    "even as null",
  ],
  [
    "neither a result nor an error",
    httpTranscript({ answers: { "tools/list": { raw: '{"jsonrpc":"2.0","id":2}' } } }),
    "no-result-or-error",
    "has neither",
  ],
  [
    "a result that is null",
    httpTranscript({ answers: { "tools/list": { result: null } } }),
    "result-not-an-object",
    "has a result that is null",
  ],
  [
    "an error that is a text",
    httpTranscript({ answers: { "tools/list": { error: "no" } } }),
    "error-malformed",
    'has an error that is "no"',
  ],
  [
    "an error code that is a string",
    httpTranscript({ answers: { "tools/list": { error: { code: "-32601", message: "no" } } } }),
    "error-malformed",
    'has error code "-32601", which is no integer',
  ],
  [
    "an error without a message",
    httpTranscript({ answers: { "tools/list": { error: { code: -32601 } } } }),
    "error-malformed",
    "has error message nothing",
  ],
  [
    "a second response",
    httpTranscript(events("", `data: ${reply({ jsonrpc: "2.0", id: 2, result: TOOLS })}\n\n`)),
    "second-response",
    "answers id 2 (tools/list) a second time",
  ],
  [
    "a result for a notification",
    httpTranscript({
      answers: { "notifications/initialized": { raw: '{"jsonrpc":"2.0","result":{}}' } },
    }),
    "answers-a-notification",
    "The response to notifications/initialized is a response, but a notification gets none.",
  ],
  [
    "an empty response for a notification",
    httpTranscript({
      answers: { "notifications/initialized": { raw: '{"jsonrpc":"2.0","id":null}' } },
    }),
    "answers-a-notification",
    "HTTP 202 and no body",
  ],
  [
    "an error on stdout after a notification",
    stdioTranscript({
      answers: {
        "notifications/initialized": {
          raw: '{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"no"}}',
        },
      },
    }),
    "id-mismatch",
    "has id null",
  ],
  [
    "a batch in a version without batches",
    httpTranscript(batch(INITIALIZE)),
    "batch",
    "is an array, which the negotiated version lacks",
  ],
  [
    "a batch whose member is faulty",
    httpTranscript({
      answers: {
        initialize: { result: { ...INITIALIZE, protocolVersion: "2025-03-26" } },
        "tools/list": { raw: reply([7]) },
      },
    }),
    "not-json-rpc",
    "holds 7, which is no message",
  ],
  [
    "an empty batch",
    httpTranscript({
      answers: {
        initialize: { result: { ...INITIALIZE, protocolVersion: "2025-03-26" } },
        "tools/list": { raw: "[]" },
      },
    }),
    "not-json-rpc",
    "is an empty array, which is no message",
  ],
  [
    "JSON of another kind in answer to a request",
    httpTranscript({ answers: { "tools/list": { raw: '{"Output":null,"Version":"1"}' } } }),
    "not-json-rpc",
    "is JSON but no JSON-RPC message",
  ],
  [
    "an event that is not JSON",
    httpTranscript(events("data: hello\n\n")),
    "sse-not-json",
    'An event of the response to tools/list is not JSON: "hello".',
  ],
  [
    "a notification of the server without jsonrpc",
    httpTranscript(events('data: {"method":"notifications/message"}\n\n')),
    "jsonrpc-member",
    "has jsonrpc nothing",
  ],
];

describe("L1.envelope", () => {
  test.each(passing)("tolerates %s", (_, transcript) => {
    const result = run(transcript);
    expect(result).toMatchObject({ outcome: "passed" });
    expect((result as { evidence: readonly number[] }).evidence.length).toBeGreaterThan(1);
  });

  test.each(failing)("fails on %s", (_, transcript, reason, because) => {
    expect(run(transcript)).toMatchObject({
      outcome: "failed",
      reason,
      because:
        typeof because === "string"
          ? expect.stringContaining(because)
          : expect.stringMatching(because),
    });
  });

  test("says how much it has read, and where", () => {
    expect(run(httpTranscript({ requests: [list] }))).toEqual({
      outcome: "passed",
      because: "2 messages from the server, each a JSON-RPC 2.0 message.",
      evidence: [6, 10],
    });
  });

  test("shows the request and the message at fault", () => {
    const transcript = stdioTranscript({ answers: { "tools/list": { result: TOOLS, id: "2" } } });
    const { evidence } = run(transcript) as { evidence: readonly number[] };
    expect(evidence.map((ref) => transcript.events[ref]?.type)).toEqual(["sent", "received"]);
  });

  test("does not hold a line against a server that was cut by our stopping it", () => {
    const cut = (by: "stdin" | "SIGKILL"): Transcript => {
      const transcript = stdioTranscript();
      const tail: Event[] = [
        { type: "stopping", at: 900, by },
        { type: "received", at: 901, channel: "stdout", data: bytesOf('{"jsonrpc":"2.') },
        { type: "ended", at: 902, channel: "stdout" },
      ];
      return { ...transcript, events: [...transcript.events, ...tail] };
    };
    expect(run(cut("SIGKILL"))).toMatchObject({ outcome: "passed" });
    expect(run(cut("stdin"))).toMatchObject({ outcome: "failed", reason: "stdout-noise" });
  });

  test("reads the process that opened, and not the one that was tried before", () => {
    const other = stdioTranscript({
      noise: "usage: fixture\n",
      answers: { initialize: { exited: 1 } },
    });
    const second = stdioTranscript();
    const events = [...other.events, ...second.events.map(renumbered)];
    expect(run({ ...second, events })).toMatchObject({ outcome: "passed" });
  });

  test("is untested when the server sent nothing", () => {
    const silent = httpTranscript({ answers: { initialize: { timedOut: 10_000 } }, requests: [] });
    expect(run(silent)).toMatchObject({ outcome: "untested", reason: "not-reached" });
  });
});

/** Exchange numbers run on over all processes of an attempt. */
function renumbered(event: Event): Event {
  return event.type === "sent" ? { ...event, exchange: event.exchange + 100 } : event;
}
