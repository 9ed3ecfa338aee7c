import { expect, test } from "vitest";
import { httpTranscript, sseTranscript, stdioTranscript } from "../testing/transcripts.ts";
import type { Event, Transcript } from "../transcript/schema.ts";
import fact from "./redirects.ts";

/** An opening that was sent on, to each of these places in turn. */
function redirected(status: number, ...to: readonly string[]): Transcript {
  const healthy = httpTranscript({ requests: [] });
  const sent = healthy.events.find((event) => event.type === "sent")!;
  const hops = to.flatMap((location, index): Event[] => {
    const exchange = index + 1;
    const next = exchange + 1;
    return [
      { type: "responded", at: 20, exchange, status, headers: [["Location", location]] },
      { type: "ended", at: 20, channel: exchange },
      {
        ...sent,
        exchange: next,
        continues: 1,
        replies: next,
        http: { ...sent.http!, url: location },
      },
    ];
  });
  return { ...healthy, events: [...healthy.events.slice(0, 4), ...hops] };
}

test("says that a server moved to another origin", () => {
  const value = fact.run(redirected(308, "https://new.example/mcp", "https://new.example/mcp/"));
  expect(value).toEqual({ status: 308, to: "https://new.example", hops: 2 });
  expect(fact.show(value!)).toBe("2 redirects (HTTP 308), to https://new.example");
});

test("names no origin when it stays the same", () => {
  const value = fact.run(redirected(307, "https://MCP.example:443/mcp/"));
  expect(value).toEqual({ status: 307, to: null, hops: 1 });
  expect(fact.show(value!)).toBe("1 redirect (HTTP 307)");
});

test("counts the hops of the GET that opens HTTP+SSE", () => {
  const healthy = sseTranscript({ requests: [] });
  const events = healthy.events.flatMap((event): Event[] => {
    if (event.type !== "sent" || event.purpose !== "stream") return [event];
    const before = { ...event, exchange: 90, replies: 90 };
    return [
      before,
      {
        type: "responded",
        at: 20,
        exchange: 90,
        status: 307,
        headers: [["location", "https://x.example/sse"]],
      },
      { type: "ended", at: 20, channel: 90 },
      { ...event, continues: 90, http: { ...event.http!, url: "https://x.example/sse" } },
    ];
  });
  const value = fact.run({ ...healthy, events });
  expect(value).toMatchObject({ status: 307, hops: 1 });
});

test.each([
  ["was not redirected", httpTranscript()],
  ["is a process", stdioTranscript()],
  [
    "was sent to a GET",
    httpTranscript({
      answers: { initialize: { raw: "", status: 301, headers: { location: "/x" } } },
    }),
  ],
])("is absent for a server that %s", (_, transcript) => {
  expect(fact.run(transcript)).toBeUndefined();
});
