import { describe, expect, test } from "vitest";
import { DataError } from "../../probe/errors.ts";
import { httpTranscript, stdioTranscript } from "../../probe/testing/transcripts.ts";
import { bytesOf } from "../../probe/transcript/body.ts";
import { Event, type EventType, type Transcript } from "../../probe/transcript/schema.ts";
import { evidence } from "./evidence.ts";
import { Evidence } from "./schema.ts";

const withEvents = (...events: readonly Event[]): Transcript => ({
  ...httpTranscript(),
  events: [...events],
});
/** The last event of a record, shown. */
const shown = (...events: readonly Event[]) => evidence(withEvents(...events), events.length - 1);

const received = (channel: number | "stdout" | "stderr", text: string): Event => ({
  type: "received",
  at: 5,
  channel,
  data: bytesOf(text),
});
const responded = (contentType: string): Event => ({
  type: "responded",
  at: 4,
  exchange: 1,
  status: 200,
  headers: [["content-type", contentType]],
});
const PACKAGE = { registry: "npm", identifier: "@scope/x", version: "1.0.0" } as const;
const fault = { code: "ECONNREFUSED", message: "connect ECONNREFUSED" };

describe("an event of each type has a summary", () => {
  const CASES: readonly (readonly [Event, string, string | null])[] = [
    [
      {
        type: "resolved",
        at: 1,
        host: "mcp.example",
        addresses: [
          { address: "203.0.113.7", family: 4, allowed: true },
          { address: "10.0.0.1", family: 4, allowed: false },
        ],
      },
      "mcp.example resolved to 203.0.113.7, 10.0.0.1 (not public)",
      null,
    ],
    [
      { type: "resolved", at: 1, host: "mcp.example", addresses: [] },
      "mcp.example resolved to no address",
      null,
    ],
    [
      {
        type: "resolved",
        at: 1,
        host: "mcp.example",
        addresses: [],
        fault: { code: "ENOTFOUND", message: "ENOTFOUND" },
      },
      "mcp.example did not resolve: ENOTFOUND",
      null,
    ],
    [
      { type: "connected", at: 1, connection: 1, address: "203.0.113.7", port: 443, took: 4 },
      "connected to 203.0.113.7 port 443 in 4 ms",
      null,
    ],
    [
      { type: "connected", at: 1, connection: 1, address: "::1", port: 443, took: 4, fault },
      "no connection to ::1 port 443: ECONNREFUSED, connect ECONNREFUSED",
      null,
    ],
    [
      {
        type: "tls",
        at: 1,
        connection: 1,
        host: "mcp.example",
        took: 7,
        protocol: "TLSv1.3",
        chain: [
          {
            subject: "CN=mcp.example",
            issuer: "CN=Test CA",
            validFrom: "2026-01-01T00:00:00Z",
            validTo: "2027-01-01T00:00:00Z",
            fingerprint: "AA:BB",
          },
        ],
      },
      "TLSv1.3 with mcp.example in 7 ms, certificate valid until 2027-01-01",
      null,
    ],
    [
      {
        type: "tls",
        at: 1,
        connection: 1,
        host: "mcp.example",
        took: 7,
        protocol: null,
        chain: [],
        fault: { code: "CERT_HAS_EXPIRED", message: "certificate has expired" },
      },
      "no trusted TLS with mcp.example: CERT_HAS_EXPIRED, certificate has expired",
      null,
    ],
    [
      { type: "installed", at: 0, ...PACKAGE, took: 900, step: "install" },
      "installed npm:@scope/x@1.0.0 in 900 ms",
      null,
    ],
    [
      { type: "installed", at: 0, ...PACKAGE, took: 9, step: "look-up", fault },
      "could not find npm:@scope/x@1.0.0: ECONNREFUSED, connect ECONNREFUSED",
      null,
    ],
    [
      { type: "installed", at: 0, ...PACKAGE, took: 9, step: "install", fault },
      "could not install npm:@scope/x@1.0.0: ECONNREFUSED, connect ECONNREFUSED",
      null,
    ],
    [
      { type: "spawned", at: 1, argv: ["node", "server.js"], environment: [] },
      "started node server.js",
      null,
    ],
    [
      { type: "spawned", at: 1, argv: ["nope"], environment: [], fault },
      "could not start nope: ECONNREFUSED, connect ECONNREFUSED",
      null,
    ],
    [
      {
        type: "sent",
        at: 1,
        exchange: 1,
        purpose: "opening",
        replies: 1,
        http: { method: "POST", url: "https://mcp.example/mcp", headers: [["accept", "*/*"]] },
        data: bytesOf("{}"),
      },
      "POST https://mcp.example/mcp",
      "accept: */*\n\n{}",
    ],
    [
      {
        type: "sent",
        at: 1,
        exchange: 1,
        purpose: "opening",
        replies: "stdout",
        data: bytesOf("{}\n"),
      },
      "3 bytes to stdin (opening)",
      "{}\n",
    ],
    [responded("text/html"), "HTTP 200", "content-type: text/html\n"],
    [received("stderr", "x"), "1 byte on stderr", "x"],
    [received(1, "ok"), "2 bytes on the body of response 1", "ok"],
    [
      { type: "decoded", at: 1, channel: 1, data: bytesOf("ok") },
      "2 bytes decoded from the body of response 1",
      "ok",
    ],
    [{ type: "ended", at: 1, channel: "stdout" }, "end of stdout", null],
    [
      { type: "broke", at: 1, exchange: 2, fault: { code: "ECONNRESET", message: "ECONNRESET" } },
      "exchange 2 broke: ECONNRESET",
      null,
    ],
    [
      { type: "timed-out", at: 10_000, exchange: 2, after: 10_000 },
      "timed out after 10000 ms",
      null,
    ],
    [
      { type: "capped", at: 1, channel: 3, limit: 1024 },
      "we stopped reading the body of response 3 at our limit of 1024 bytes",
      null,
    ],
    [{ type: "closed", at: 1, exchange: 2 }, "we closed exchange 2", null],
    [{ type: "closed", at: 1 }, "we closed everything", null],
    [{ type: "stopping", at: 1, by: "stdin" }, "we closed stdin", null],
    [{ type: "stopping", at: 1, by: "SIGKILL" }, "we sent SIGKILL", null],
    [{ type: "exited", at: 1, code: 1, signal: null }, "process ended with code 1", null],
    [
      { type: "exited", at: 1, code: null, signal: "SIGSEGV" },
      "process was ended by SIGSEGV",
      null,
    ],
  ];

  for (const [event, summary, text] of CASES) {
    test(`${event.type}: ${summary}`, () => {
      const result = shown(event);
      const { type, at } = event;
      expect(result).toEqual({ event: 0, type, at, summary, text, cutFrom: null });
      expect(Evidence.parse(result)).toEqual(result);
    });
  }

  test("and none is forgotten here", () => {
    const types: EventType[] = Event.options.map((option) => option.shape.type.value);
    expect(new Set(CASES.map(([event]) => event.type))).toEqual(new Set(types));
  });
});

describe("bytes that came in pieces show the message they complete", () => {
  const json = responded("application/json");
  const sse = responded("text/event-stream; charset=utf-8");
  const ended: Event = { type: "ended", at: 6, channel: 1 };

  test.each<[string, readonly Event[], string | null]>([
    ["a body so far", [json, received(1, '{"a"'), received(1, ":1}")], '{"a":1}'],
    ["a body at its end", [json, received(1, '{"a"'), received(1, ":1}"), ended], '{"a":1}'],
    ["an empty body", [json, ended], null],
    ["other channels are left out", [json, received(2, "no"), received(1, "yes")], "yes"],
    ["a line in two pieces", [received("stdout", "on"), received("stdout", "e\n")], "one\n"],
    ["a line after another", [received("stdout", "one\ntw"), received("stdout", "o\n")], "two\n"],
    [
      "a pipe that ended after a line",
      [received("stdout", "one\n"), { ...ended, channel: "stdout" }],
      null,
    ],
    [
      "a pipe that ended within a line",
      [received("stdout", "one\ntw"), { ...ended, channel: "stdout" }],
      "tw",
    ],
    [
      "a server-sent event after another, with CR",
      [sse, received(1, "data: 1\r\rdata: "), received(1, "2\r\r")],
      "data: 2\r\r",
    ],
    [
      "a server-sent event of several lines with CRLF",
      [sse, received(1, "data: 1\r\n\r\nid: 2\r\nda"), received(1, "ta: 2\r\n\r\n")],
      "id: 2\r\ndata: 2\r\n\r\n",
    ],
    [
      "a server-sent event after another",
      [sse, received(1, "data: 1\n\ndata: "), received(1, "2\n\n")],
      "data: 2\n\n",
    ],
    [
      "a server-sent event with CRLF line ends",
      [sse, received(1, "data: 1\r\n\r\n"), received(1, "data: 2\r\n\r\n")],
      "data: 2\r\n\r\n",
    ],
    [
      "a blank line inside plain JSON is no end",
      [json, received(1, '{"a":\n\n'), received(1, "1}")],
      '{"a":\n\n1}',
    ],
  ])("%s", (_, events, text) => {
    expect(shown(...events).text).toBe(text);
  });

  test("what came later is left out", () => {
    const events = [json, received(1, '{"a"'), received(1, ":1}")];
    expect(evidence(withEvents(...events), 1).text).toBe('{"a"');
  });
});

describe("long content is cut", () => {
  test("not at 4096 characters", () => {
    expect(shown(received(1, "x".repeat(4096)))).toMatchObject({ cutFrom: null });
  });
  test("beyond them, with the true number of bytes", () => {
    const { text, cutFrom } = shown(received(1, "€".repeat(5000)));
    expect(text).toBe("€".repeat(4096));
    expect(cutFrom).toBe(15_000);
  });
  test("never through a character", () => {
    const { text } = shown(received(1, `x${"😀".repeat(5000)}`));
    expect(text).toBe(`x${"😀".repeat(2047)}`);
  });
  test("and a summary stays one line of bounded length", () => {
    const { summary } = shown({
      type: "spawned",
      at: 1,
      argv: ["a\n::set-env\u2028b\u001b[2J", "x".repeat(1000)],
      environment: [],
    });
    expect(summary).toHaveLength(300);
    expect(summary).toMatch(/^started a ::set-env b \[2J xxx/);
  });
});

test("malformed UTF-8 is replaced, control characters are kept", () => {
  const data = new Uint8Array([0x1b, 0x5b, 0xff, 0x41]);
  expect(shown({ type: "received", at: 1, channel: "stdout", data }).text).toBe("\u001b[\uFFFDA");
});

test("every event of a healthy conversation can be shown", () => {
  for (const transcript of [httpTranscript(), stdioTranscript()]) {
    for (const ref of transcript.events.keys()) Evidence.parse(evidence(transcript, ref));
  }
});

test("an event that is not on record is a contradiction in the data", () => {
  expect(() => evidence(httpTranscript(), 999)).toThrow(DataError);
});
