import { describe, expect, test } from "vitest";
import { checks } from "../checks/index.ts";
import { evaluate } from "../evaluate.ts";
import { type Difference, httpTranscript, stdioTranscript } from "../testing/transcripts.ts";
import { modernTranscript, packageTranscript, remoteTarget } from "../testing/transcripts.ts";
import type { Event, Transcript } from "../transcript/schema.ts";
import { around, suspects } from "./around.ts";
import type { Capability, Control } from "./control.ts";

const FAULT = { code: "ECONNREFUSED", message: "refused" };
const HOST = "mcp.example";

const resolved = (...addresses: readonly string[]): Event => ({
  type: "resolved",
  at: 1,
  host: HOST,
  addresses: addresses.map((address) => ({
    address,
    family: address.includes(":") ? 6 : 4,
    allowed: !address.startsWith("10."),
  })),
});

const connected = (connection: number, address: string, fault?: typeof FAULT): Event => ({
  type: "connected",
  at: 2,
  connection,
  address,
  port: 443,
  took: 1,
  ...(fault && { fault }),
});

const tls = (fault?: typeof FAULT): Event => ({
  type: "tls",
  at: 3,
  connection: 1,
  host: HOST,
  took: 1,
  protocol: null,
  chain: [],
  ...(fault && { fault }),
});

/** An attempt that got no further than these events. */
const reached = (...events: readonly Event[]): Transcript => ({
  ...httpTranscript(),
  events: [...events],
});
const at = (url: string, ...events: readonly Event[]): Transcript => ({
  ...reached(...events),
  target: remoteTarget(url),
});

const answering = (difference: Difference) => httpTranscript(difference);
const outcomesOf = (transcript: Transcript) => evaluate(transcript, { checks, facts: [] }).checks;

const V4 = "203.0.113.7";
const V6 = "2001:db8::7";

describe("what of ours could explain", () => {
  test.each<[string, Transcript, readonly Capability[]]>([
    [
      "a name that is not found is name resolution",
      reached({
        type: "resolved",
        at: 1,
        host: HOST,
        addresses: [],
        fault: { code: "EAI_AGAIN", message: "" },
      }),
      ["dns"],
    ],
    ["a name that leads nowhere public is name resolution", reached(resolved("10.0.0.1")), ["dns"]],
    [
      "a refused connection is that family",
      reached(resolved(V4), connected(1, V4, FAULT)),
      ["ipv4"],
    ],
    ["the other family is its own", reached(resolved(V6), connected(1, V6, FAULT)), ["ipv6"]],
    [
      "two families that were tried are two ways",
      reached(resolved(V6, V4), connected(1, V6, FAULT), connected(2, V4, FAULT)),
      ["ipv6", "ipv4"],
    ],
    ["a broken handshake is TLS", reached(resolved(V4), connected(1, V4), tls(FAULT)), ["tls"]],
    [
      "a server error behind a handshake is TLS, the last that was used",
      answering({ answers: { initialize: { raw: "", status: 503 } } }),
      ["tls"],
    ],
    ["an opening that an older verdict fails is TLS too", modernTranscript(), ["tls"]],
    [
      "a refusal that an older verdict fails is TLS too",
      answering({ answers: { initialize: { raw: "", status: 403 } } }),
      ["tls"],
    ],
    [
      "a plain connection is its family",
      at(`http://${HOST}/mcp`, resolved(V4), connected(1, V4)),
      ["ipv4"],
    ],
    [
      "a server on this machine is this machine's network",
      at("http://127.0.0.1:9/mcp", resolved("127.0.0.1"), connected(1, "127.0.0.1", FAULT)),
      ["loopback"],
    ],
    [
      "a name of this machine that is not found is no name of the outside",
      at("http://localhost:9/mcp", {
        type: "resolved",
        at: 1,
        host: "localhost",
        addresses: [],
        fault: FAULT,
      }),
      ["loopback"],
    ],
    [
      "a name that leads to this machine is this machine's network",
      at(`http://${HOST}/mcp`, resolved("::1"), connected(1, "::1", FAULT)),
      ["loopback"],
    ],
    [
      "a process that ends is the start of processes",
      stdioTranscript({ answers: { initialize: { exited: 1 } } }),
      ["sandbox"],
    ],
    [
      "a process that does not start is the start of processes",
      {
        ...stdioTranscript(),
        events: [{ type: "spawned", at: 1, argv: ["x"], environment: [], fault: FAULT }],
      },
      ["sandbox"],
    ],
    [
      "a package that its registry does not know is the registry",
      packageTranscript({ step: "look-up", fault: { code: "E404", message: "" } }),
      ["registry"],
    ],
    [
      "a package that does not come is the registry",
      packageTranscript({ step: "install", fault: FAULT }),
      ["registry"],
    ],
    [
      "a process that ends is not its package",
      packageTranscript({}, { answers: { initialize: { exited: 1 } } }),
      ["sandbox"],
    ],
    ["nothing needs an explanation in a healthy conversation", httpTranscript(), []],
    ["nor over a pipe", stdioTranscript(), []],
    [
      "nor where credentials are asked for",
      answering({ answers: { initialize: { raw: "", status: 401 } } }),
      [],
    ],
    [
      "nor where nothing was dialled",
      {
        ...reached(),
        target: { ...remoteTarget("https://{x}.example"), missing: ["x"] } as Transcript["target"],
      },
      [],
    ],
    [
      "nor by a wrong answer behind the opening",
      answering({ answers: { "probe/unknown-method": { result: {} } } }),
      [],
    ],
    [
      "silence behind the opening does",
      answering({ answers: { "tools/list": { timedOut: 15_000 } } }),
      ["tls"],
    ],
  ])("%s", (_, transcript, capabilities) => {
    expect(suspects(transcript, outcomesOf(transcript))).toEqual(capabilities);
  });
});

const DOWN = reached(resolved(V6, V4), connected(1, V6, FAULT), connected(2, V4, FAULT));
/** Seconds after the start of the attempt, which ends at once. */
const control = (capability: Capability, ok: boolean, seconds = 0, of = 3): Control => ({
  capability,
  at: new Date(Date.parse(DOWN.startedAt) + seconds * 1000).toISOString(),
  took: 5,
  needed: 2,
  endpoints: Array.from({ length: of }, (_, index) => ({
    endpoint: `endpoint-${index}`,
    // Two of three decide; one that is down does not.
    ...((ok ? index < 1 : index < 2) && { fault: FAULT }),
  })),
});

describe("the controls near an attempt say", () => {
  test.each<[string, readonly Control[], string, string | undefined]>([
    ["nothing where there are none", [], "not-measured", undefined],
    ["passed where one way works", [control("ipv4", true)], "passed", undefined],
    [
      "passed where one of two ways works: it could have been reached",
      [control("ipv4", true), control("ipv6", false)],
      "passed",
      undefined,
    ],
    [
      "failed where no way works",
      [control("ipv4", false), control("ipv6", false)],
      "failed",
      "ipv6",
    ],
    ["nothing about another capability", [control("dns", false)], "not-measured", undefined],
    ["nothing from too early", [control("ipv4", true, -11)], "not-measured", undefined],
    ["nothing from too late", [control("ipv4", false, 11)], "not-measured", undefined],
    ["something from just in time", [control("ipv4", false, 9)], "failed", "ipv4"],
    [
      "failed where one of several failed",
      [control("ipv4", true, -5), control("ipv4", false, 5)],
      "failed",
      "ipv4",
    ],
    [
      "failed in an outage, whenever it was written down",
      [control("ipv4", true), control("remotes", false, -300)],
      "failed",
      "remotes",
    ],
    [
      "nothing more where most of the shard stood",
      [control("ipv4", true), control("remotes", true)],
      "passed",
      undefined,
    ],
  ])("%s", (_, controls, word, lost) => {
    const said = around(DOWN, outcomesOf(DOWN), controls);
    expect([said.word, said.lost?.capability]).toEqual([word, lost]);
  });

  test.each<[string, Transcript]>([
    ["a healthy conversation", httpTranscript()],
    ["a process", stdioTranscript()],
  ])("nothing about %s, whatever befell its neighbours", (_, transcript) => {
    const all = (["dns", "ipv4", "ipv6", "tls", "remotes"] as const).map((one) =>
      control(one, false),
    );
    expect(around(transcript, outcomesOf(transcript), all)).toEqual({ word: "not-measured" });
  });
});
