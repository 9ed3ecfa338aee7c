import { describe, expect, test } from "vitest";
import {
  type Answer,
  type Difference,
  GET_WORD,
  httpTranscript,
  INITIALIZE,
  METHOD_NOT_FOUND,
  modernTranscript,
  stdioTranscript,
  TOOLS,
} from "../testing/transcripts.ts";
import { bytesOf, textOf } from "../transcript/body.ts";
import check from "./L1.tools_list.ts";

const answering = (...pages: readonly Answer[]): Difference => ({
  answers: { "tools/list": pages },
});
const page = (nextCursor?: unknown) => ({ result: { ...TOOLS, nextCursor } });

describe("L1.tools_list", () => {
  test.each([
    ["one page", answering(page()), "tools/list gave 1 entry on 1 page."],
    ["no tools", answering({ result: { tools: [] } }), "tools/list gave 0 entries on 1 page."],
    [
      "an empty cursor, which is a cursor",
      answering(page(""), page()),
      "tools/list gave 2 entries on 2 pages.",
    ],
    ["a cursor of null, read as none", answering(page(null)), "tools/list gave 1 entry on 1 page."],
    [
      "an entry that is no tool, which another check is about",
      answering({ result: { tools: [7] } }),
      "tools/list gave 1 entry on 1 page.",
    ],
    [
      "a resultType in an era that has none",
      answering({ result: { ...TOOLS, resultType: "odd" } }),
      "tools/list gave 1 entry on 1 page.",
    ],
    [
      "more entries than we read",
      answering({ result: { tools: Array(10_000).fill(GET_WORD), nextCursor: "more" } }),
      "tools/list gave 10000 entries on 1 page; we stopped there, at our own limit.",
    ],
  ])("passes with %s", (_, difference, because) => {
    expect(check.run(httpTranscript(difference))).toMatchObject({ outcome: "passed", because });
  });

  test("shows the request and the answer of its pages", () => {
    expect(check.run(httpTranscript(answering(page("2"), page())))).toEqual({
      outcome: "passed",
      because: "tools/list gave 2 entries on 2 pages.",
      evidence: [10, 13, 17],
    });
  });

  test.each<[string, Difference, reason: string, because: string, sent?: number]>([
    [
      "an error",
      answering({ error: METHOD_NOT_FOUND }),
      "rpc-error",
      'Expected page 1 of tools/list, but the server answered with error -32601: "Method not found". Answer it, or do not declare tools.',
    ],
    [
      "an error on the second page",
      answering(page("2"), { error: METHOD_NOT_FOUND }),
      "rpc-error",
      "Expected page 2 of tools/list",
      14,
    ],
    ["silence", answering({ timedOut: 15_000 }), "timeout", "did not answer within 15 s"],
    [
      "a broken connection",
      answering({ broke: "ECONNRESET" }),
      "closed-without-response",
      "ECONNRESET",
    ],
    ["HTTP 502", answering({ raw: "", status: 502 }), "http-status", "answered HTTP 502"],
    [
      "a result that is a list",
      answering({ result: [] }),
      "result-not-an-object",
      "a result that is an array",
    ],
    [
      "a result without tools",
      answering({ result: {} }),
      "no-array",
      'Page 1 of tools/list must hold an array "tools", but has nothing.',
    ],
    [
      "tools by name",
      answering({ result: { tools: { get_word: {} } } }),
      "no-array",
      "but has an object",
    ],
    [
      "a cursor that comes again",
      answering(page("a"), page("b"), page("a")),
      "cursor-cycle",
      'Page 3 of tools/list names the cursor "a" again, so the list never ends.',
      18,
    ],
    [
      "a cursor that is a number",
      answering(page(2)),
      "cursor-not-a-string",
      "Page 1 of tools/list has 2 as nextCursor.",
    ],
  ])("fails on %s", (_, difference, reason, because, sent = 10) => {
    expect(check.run(httpTranscript(difference))).toMatchObject({
      outcome: "failed",
      reason,
      because: expect.stringContaining(because),
      evidence: expect.arrayContaining([sent]),
    });
  });

  test("fails when the process ends instead of answering", () => {
    expect(check.run(stdioTranscript(answering({ exited: 1 })))).toMatchObject({
      outcome: "failed",
      reason: "exited",
      because: expect.stringContaining("ended its process (exit code 1)"),
    });
  });

  test("fails on a result of the modern era that is not complete", () => {
    const result = { ...TOOLS, resultType: "input_required" };
    expect(check.run(modernTranscript(answering({ result })))).toMatchObject({
      outcome: "failed",
      reason: "result-type",
      because: expect.stringContaining('its resultType is "input_required"'),
    });
  });

  test.each([
    ["absent", {}],
    ["true", { tools: true }],
    ["null", { tools: null }],
  ])("does not apply when the declaration of tools is %s", (_, capabilities) => {
    const transcript = httpTranscript({
      answers: { initialize: { result: { ...INITIALIZE, capabilities } } },
    });
    expect(check.run(transcript)).toEqual({
      outcome: "inapplicable",
      because: "The server does not declare tools.",
      evidence: [],
    });
  });

  test.each([
    [401, "auth-required"],
    [402, "payment-required"],
    [403, "refused"],
    [429, "rate-limited"],
  ])("is untested behind HTTP %i", (status, reason) => {
    expect(check.run(httpTranscript(answering({ raw: "", status })))).toMatchObject({
      outcome: "untested",
      reason,
      evidence: [10, 11, 12],
    });
  });

  test("is untested when a later page is behind a gate", () => {
    const gated = answering(page("2"), { raw: "", status: 401 });
    expect(check.run(httpTranscript(gated))).toMatchObject({
      outcome: "untested",
      reason: "auth-required",
    });
  });

  test("is untested when it was not asked for", () => {
    expect(check.run(httpTranscript({ kind: "liveness", requests: [] }))).toMatchObject({
      outcome: "untested",
      reason: "not-asked",
    });
    expect(check.run(httpTranscript({ requests: [] }))).toMatchObject({
      outcome: "untested",
      reason: "not-reached",
    });
  });

  test("cannot tell when we stopped before the last page", () => {
    expect(check.run(httpTranscript(answering(page("2"))))).toMatchObject({
      outcome: "cantTell",
      reason: "probe-failed",
    });
  });
});

describe("of two pages, the first without its answer", () => {
  const transcript = httpTranscript(answering(page("2"), page()));
  const requests = transcript.events.flatMap((event) =>
    event.type === "sent" && event.purpose === "list" ? [event] : [],
  );
  const lost = transcript.events.filter(
    (event) => event.type !== "received" || event.channel !== requests[0]!.exchange,
  );

  test("the list is not whole, whatever the second one says", () => {
    expect(check.run({ ...transcript, events: lost })).toMatchObject({
      outcome: "failed",
      reason: "closed-without-response",
      because: expect.stringContaining("Expected page 1 of tools/list") as string,
    });
  });

  test("the list is whole when the second one is a repetition that stands for it", () => {
    const events = lost.map((event) =>
      event === requests[1] ? { ...event, data: sameButId(requests[0]!.data, 3) } : event,
    );
    expect(check.run({ ...transcript, events })).toMatchObject({
      outcome: "passed",
      because: "tools/list gave 1 entry on 1 page.",
    });
  });
});

const sameButId = (data: Uint8Array, id: number) =>
  bytesOf(JSON.stringify({ ...(JSON.parse(textOf(data)) as object), id }));
