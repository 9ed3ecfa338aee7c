import { describe, expect, test } from "vitest";
import { httpTranscript, packageTranscript, stdioTranscript } from "../testing/transcripts.ts";
import type { Event, Installed, Target } from "../transcript/schema.ts";
import check from "./L0.reachable.ts";

const run = (events: readonly Event[], target?: Target) => {
  const transcript = httpTranscript(target ? { target } : {});
  return check.run({ ...transcript, events: [...events] });
};

const resolved = (allowed: boolean, ...addresses: string[]): Event => ({
  type: "resolved",
  at: 1,
  host: "mcp.example",
  addresses: addresses.map((address) => ({ address, family: 4, allowed })),
});

const connected = (address: string, code?: string): Event => ({
  type: "connected",
  at: 5,
  connection: 1,
  address,
  port: 443,
  took: 4,
  ...(code === undefined ? {} : { fault: { code, message: code } }),
});

describe("a remote", () => {
  test("passes when a connection opened, whatever came over it", () => {
    expect(
      check.run(httpTranscript({ answers: { initialize: { raw: "", status: 500 } } })),
    ).toEqual({
      outcome: "passed",
      because: "A connection to 203.0.113.7, port 443 opened in 4 ms.",
      evidence: [1],
    });
  });

  test("passes when the second address opened", () => {
    const events = [
      resolved(true, "203.0.113.7", "203.0.113.8"),
      connected("203.0.113.7", "ECONNREFUSED"),
      connected("203.0.113.8"),
    ];
    expect(run(events)).toMatchObject({ outcome: "passed", evidence: [2] });
  });

  test.each<[string, Event[], string, number[]]>([
    [
      "the name does not resolve",
      [
        {
          type: "resolved",
          at: 1,
          host: "gone.example",
          addresses: [],
          fault: { code: "ENOTFOUND", message: "" },
        },
      ],
      "dns-not-found",
      [0],
    ],
    [
      "the resolver fails, which says nothing about the name",
      [
        {
          type: "resolved",
          at: 1,
          host: "mcp.example",
          addresses: [],
          fault: { code: "EAI_AGAIN", message: "" },
        },
      ],
      "dns-failed",
      [0],
    ],
    [
      "one address refuses and we have no road to the other",
      [
        resolved(true, "203.0.113.7", "203.0.113.8"),
        connected("203.0.113.7", "ECONNREFUSED"),
        connected("203.0.113.8", "ENETUNREACH"),
      ],
      "connection-refused",
      [0, 1, 2],
    ],
    ["every address is private", [resolved(false, "10.0.0.5")], "address-not-public", [0]],
    [
      "nothing listens",
      [resolved(true, "203.0.113.7"), connected("203.0.113.7", "ECONNREFUSED")],
      "connection-refused",
      [0, 1],
    ],
    [
      "nothing answers",
      [resolved(true, "203.0.113.7"), connected("203.0.113.7", "ETIMEDOUT")],
      "connect-timeout",
      [0, 1],
    ],
    [
      "the connection fails otherwise",
      [resolved(true, "203.0.113.7"), connected("203.0.113.7", "EHOSTUNREACH")],
      "connection-failed",
      [0, 1],
    ],
  ])("failed when %s", (_, events, reason, evidence) => {
    expect(run(events)).toMatchObject({ outcome: "failed", reason, evidence });
  });

  test("that fails at several addresses says what happened at each", () => {
    const events = [
      resolved(true, "203.0.113.7", "203.0.113.8"),
      connected("203.0.113.7", "ETIMEDOUT"),
      connected("203.0.113.8", "EHOSTUNREACH"),
    ];
    expect(run(events)).toMatchObject({
      reason: "connect-timeout",
      because:
        'Expected a connection to 203.0.113.7, 203.0.113.8, port 443, to open, but 203.0.113.7: nothing answered in time; 203.0.113.8: the connection failed ("EHOSTUNREACH").',
    });
  });

  test("is untested when its URL has a hole that only its user fills", () => {
    const url = "https://mcp.example/{tenant}";
    const target: Target = {
      kind: "remote",
      key: url,
      url,
      transport: "streamable-http",
      missing: ["tenant"],
    };
    expect(run([], target)).toMatchObject({
      outcome: "untested",
      reason: "needs-configuration",
      because: expect.stringContaining("tenant"),
    });
  });

  test("cannot be told when we never dialled", () => {
    expect(run([])).toMatchObject({ outcome: "cantTell", reason: "probe-failed" });
    expect(run([resolved(true, "203.0.113.7")])).toMatchObject({ outcome: "cantTell" });
  });
});

describe("a process", () => {
  test("passes when it started", () => {
    expect(check.run(stdioTranscript())).toMatchObject({ outcome: "passed", evidence: [0] });
  });

  test("passes when its package was installed and it started", () => {
    expect(check.run(packageTranscript())).toMatchObject({ outcome: "passed", evidence: [1] });
  });

  test.each<[string, Partial<Installed>]>([
    ["its package", { fault: { code: "E404", message: "Not Found" } }],
    ["that version of it", { fault: { code: "ETARGET", message: "No matching version" } }],
    ["its name", { fault: { code: "EINVALIDPACKAGENAME", message: "Invalid package name" } }],
  ])("failed when the registry does not know %s", (_, installed) => {
    const transcript = packageTranscript({ ...installed, step: "look-up" });
    expect(check.run(transcript)).toMatchObject({
      outcome: "failed",
      reason: "package-not-found",
      evidence: [0],
      because: expect.stringMatching(/npm registry to have "fixture@1\.0\.0".*"E/),
    });
  });

  test.each<[string, Partial<Installed>]>([
    [
      "the registry is out of reach",
      { step: "look-up", fault: { code: "ENOTFOUND", message: "" } },
    ],
    ["what it needs is not there", { step: "install", fault: { code: "E404", message: "" } }],
    [
      "a version it needs is not there",
      { step: "install", fault: { code: "ETARGET", message: "" } },
    ],
    ["its archive is broken", { step: "install", fault: { code: "EINTEGRITY", message: "" } }],
  ])("is untested when its package was not installed, since %s", (_, installed) => {
    expect(check.run(packageTranscript(installed))).toMatchObject({
      outcome: "untested",
      reason: "package-unavailable",
      evidence: [0],
    });
  });

  test("failed when it could not be started", () => {
    const fault = { code: "ENOENT", message: "spawn x ENOENT" };
    const reached: Event[] = [{ type: "spawned", at: 1, argv: ["x"], environment: [], fault }];
    expect(check.run({ ...stdioTranscript(), events: reached })).toMatchObject({
      outcome: "failed",
      reason: "start-failed",
      evidence: [0],
    });
  });

  test("cannot be told when we never started it", () => {
    expect(check.run({ ...stdioTranscript(), events: [] })).toMatchObject({ outcome: "cantTell" });
  });
});
