import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Evidence } from "../../../scripts/api/schema.ts";
import { eventsQuery, indented, laidOut } from "./layout.ts";

const shown = (text: string | null, more: Partial<Evidence> = {}) =>
  laidOut({ type: "received", cutFrom: null, ...more, text })
    .map((part) => (part.escaped ? `‹${part.text}›` : part.text))
    .join("");

const LONG = JSON.stringify({ name: "a".repeat(40), schema: { type: "object" }, list: [1, 2] });
const LAID_OUT = `{
  "name":"${"a".repeat(40)}",
  "schema":{"type":"object"},
  "list":[1,2]
}`;

describe("JSON", () => {
  test("gets a line for each member, and short values stay on theirs", () => {
    expect(shown(LONG)).toBe(LAID_OUT);
  });

  test("is found behind the data field of a server-sent event", () => {
    expect(shown(`event: message\ndata: ${LONG}\n\n`)).toBe(
      `event: message‹\\n›\ndata: ${LAID_OUT}‹\\n›\n‹\\n›`,
    );
  });

  test("that is cut in the middle is laid out up to there", () => {
    expect(shown(LONG.slice(0, -8), { cutFrom: 9000 })).toContain(
      ',\n  "schema":{"type":"object"}',
    );
  });

  test("that is no JSON is left as it is", () => {
    const broken = LONG.replace('"list":', "list:");
    expect(shown(broken)).toBe(broken);
  });

  test("inside of a string is text", () => {
    const text = JSON.stringify([`{"a":[1,2,3],${"b".repeat(80)}`, "\\"]);
    expect(shown(text)).toBe(
      `[\n  ${JSON.stringify(`{"a":[1,2,3],${"b".repeat(80)}`)},\n  "\\\\"\n]`,
    );
  });

  test("gains white space between tokens and loses nothing", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.nat(), (json, end) => {
        for (const text of [json, json.slice(0, end)]) {
          expect(indented(text).replace(/\n */g, "")).toBe(text.replace(/\n */g, ""));
        }
        expect(JSON.parse(indented(json))).toEqual(JSON.parse(json));
      }),
    );
  });

  test("that nests without end stays small", () => {
    expect(indented("[".repeat(4096)).length).toBeLessThan(20 * 4096);
  });
});

test("the events of a check are named for jq", () => {
  expect(eventsQuery("2026-12-01T02:22:34.261Z", [{ event: 2 }, { event: 4 }])).toBe(
    'select(.startedAt == "2026-12-01T02:22:34.261Z").events[2,4]',
  );
});

describe("control characters", () => {
  test.each([
    ["a line feed is told apart from a line break of ours", "a\nb", "a‹\\n›\nb"],
    ["a carriage return is written out", "a\r\n", "a‹\\u{d}›‹\\n›"],
    ["a tab is written out", "a\tb", "a‹\\t›b"],
    ["an escape sequence is written out", "\u001b[2J", "‹\\u{1b}›[2J"],
    ["what only looks like one is text", "a\\nb", "a\\nb"],
    ["nothing is nothing", null, ""],
  ])("%s", (_, text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  test("lines of headers are the API's own and end without a mark", () => {
    expect(shown('accept: */*\nx: y\n\n{"id":1}\n', { type: "sent" })).toBe(
      'accept: */*\nx: y\n\n{"id":1}‹\\n›',
    );
    expect(shown("x: \u202e\n", { type: "responded" })).toBe("x: ‹\\u{202e}›\n");
  });

  test("what a server sends is never taken for headers", () => {
    expect(shown("x: y\n")).toBe("x: y‹\\n›");
  });
});
