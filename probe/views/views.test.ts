import { describe, expect, test } from "vitest";
import { httpTranscript, INITIALIZE, stdioTranscript, TOOLS } from "../testing/transcripts.ts";
import { exchanges } from "./exchanges.ts";
import { tools } from "./lists.ts";
import { opening } from "./opening.ts";

describe("exchanges", () => {
  test("tie every request of a healthy conversation to its reply", () => {
    for (const transcript of [httpTranscript(), stdioTranscript()]) {
      const requests = exchanges(transcript).filter(({ id }) => id !== undefined);
      expect(requests.map(({ method, reply }) => [method, reply?.exact])).toEqual([
        ["initialize", true],
        ["tools/list", true],
        ["probe/unknown-method", true],
      ]);
    }
  });
});

test("an answer that comes late is not taken for that of the next request", () => {
  const capabilities = { tools: {}, resources: {} };
  const late = { jsonrpc: "2.0", id: 2, result: TOOLS };
  const transcript = stdioTranscript({
    answers: {
      initialize: { result: { ...INITIALIZE, capabilities } },
      "tools/list": { timedOut: 15_000 },
      "resources/list": { raw: JSON.stringify(late) },
    },
  });
  const lists = exchanges(transcript).filter(({ purpose }) => purpose === "list");
  expect(lists.map(({ reply }) => reply)).toEqual([undefined, undefined]);
  expect(lists[0]!.late?.json).toEqual(late);
});

describe("opening", () => {
  test("is the one that returned a result", () => {
    expect(opening(httpTranscript())).toMatchObject({ opened: true, era: "legacy" });
  });
  test("keeps the first refusal as the reason", () => {
    const transcript = httpTranscript({ answers: { initialize: { raw: "no", status: 503 } } });
    expect(opening(transcript)).toMatchObject({
      opened: false,
      exchange: { method: "initialize" },
    });
  });
});

describe("lists", () => {
  test("run over all pages", () => {
    const page = { ...TOOLS, nextCursor: "" };
    const transcript = httpTranscript({
      answers: {
        initialize: { result: INITIALIZE },
        "tools/list": [{ result: page }, { result: TOOLS }],
      },
    });
    expect(tools(transcript)).toMatchObject({ declared: true, end: { how: "complete" } });
    expect(tools(transcript).items).toHaveLength(2);
  });
});
