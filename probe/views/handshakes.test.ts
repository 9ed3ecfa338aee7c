import { describe, expect, test } from "vitest";
import { httpTranscript, remoteTarget, stdioTranscript } from "../testing/transcripts.ts";
import type { Event, Purpose, Transcript } from "../transcript/schema.ts";
import { handshakes } from "./handshakes.ts";

const tls = (host: string, connection = 2): Event => ({
  type: "tls",
  at: 50,
  connection,
  host,
  took: 4,
  protocol: "TLSv1.3",
  chain: [],
});

/** The healthy conversation, then a handshake with another host. */
const andThen = (host: string, transcript = httpTranscript()): Transcript => ({
  ...transcript,
  events: [...transcript.events, tls(host)],
});

/** A conversation whose second request has this purpose, and an answer that names another place. */
const sentTo = (location: string, purpose: Purpose = "list") =>
  httpTranscript({
    answers: { "x/y": { raw: "", status: 307, headers: { Location: location } } },
    requests: [{ method: "x/y", purpose }],
  });

/** The same, with the URL of the second request instead of its answer. */
const askedAt = (url: string, purpose: Purpose = "list"): Transcript => {
  const transcript = sentTo("/", purpose);
  const events = transcript.events.map((event): Event =>
    event.type === "sent" && event.exchange === 2 && event.http
      ? { ...event, http: { ...event.http, url } }
      : event,
  );
  return { ...transcript, events };
};

const hosts = (transcript: Transcript) => handshakes(transcript).map(({ host }) => host);

describe("the conversation was carried by the handshakes with", () => {
  test("the target, again and again", () => {
    const found = handshakes(andThen("MCP.example"));
    expect(found.map(({ connection }) => connection)).toEqual([1, 2]);
    expect(found[0]!.ref).toBe(2);
  });

  test.each([
    "https://other.example/mcp",
    "https://OTHER.example:8443",
    "https://mcp.example@other.example/mcp",
    "https://a@b@other.example/mcp",
    "https://other.example\\@mcp.example/",
    "//other.example/mcp",
  ])("the host that it sent us to: %s", (location) => {
    expect(hosts(andThen("other.example", sentTo(location)))).toContain("other.example");
  });

  test("the host that a request went to", () => {
    const transcript = askedAt("https://other.example/mcp");
    expect(hosts(andThen("other.example", transcript))).toContain("other.example");
  });

  test("an address, with brackets or without", () => {
    const transcript = sentTo("https://[2001:DB8::1]:443/mcp");
    expect(hosts(andThen("[2001:db8::1]", transcript))).toContain("[2001:db8::1]");
    expect(hosts(andThen("2001:db8::1", transcript))).toContain("2001:db8::1");
  });

  test("a target that the listing spells in another way, also when nothing was sent", () => {
    const target = remoteTarget("https://b\u00fccher.example/mcp");
    const events = [tls("xn--bcher-kva.example", 1)];
    expect(hosts({ ...httpTranscript({ target }), events })).toEqual(["xn--bcher-kva.example"]);
  });
});

describe("it was not carried by a handshake with", () => {
  test.each([
    ["a host that nobody named", httpTranscript()],
    ["a part of a host's name", sentTo("https://another.example/mcp")],
    ["a host in the path of a URL", sentTo("https://mcp.example/https://other.example/")],
    ["a place that metadata names", sentTo("https://other.example/", "auth-metadata")],
    ["a place where metadata was looked up", askedAt("https://other.example/", "auth-metadata")],
  ])("%s", (_, transcript) => {
    expect(hosts(andThen("other.example", transcript))).toEqual(["mcp.example"]);
  });

  test.each<Purpose>(["auth-metadata", "other-era", "goodbye"])(
    "the target itself, once nothing but what no check reads is asked: %s",
    (purpose) => {
      const found = handshakes(andThen("mcp.example", sentTo("/", purpose)));
      expect(found.map(({ connection }) => connection)).toEqual([1]);
    },
  );

  test("anything, when the target is a process", () => {
    expect(hosts(andThen("mcp.example", stdioTranscript()))).toEqual([]);
  });
});
