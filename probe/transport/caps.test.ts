import { describe, expect, test } from "vitest";
import { messageSize, passedLimit } from "./caps.ts";

/** What is counted after the last piece. */
function counted(contentType: string | undefined, ...pieces: string[]): number {
  const size = messageSize(contentType === undefined ? [] : [["Content-Type", contentType]]);
  return pieces.map((piece) => size(Buffer.from(piece))).at(-1)!;
}

const EVENTS = "Text/Event-Stream; charset=utf-8";

describe("the size of a message is", () => {
  test.each<[string, string | undefined, string[], number]>([
    ["that of the whole body", "application/json", ["{\n\n", "}"], 4],
    ["that of the whole body without a type", undefined, ["a\n\n", "b"], 4],
    ["that of the first event, until it ends", EVENTS, ["data: a\n", "data: b"], 15],
    ["nothing behind a blank line", EVENTS, ["data: a\n\n"], 0],
    ["what came behind a blank line", EVENTS, ["data: a\n\ndata: b"], 7],
    ["nothing behind a blank line with CR", EVENTS, ["data: a\r\r"], 0],
    ["nothing behind a blank line with CRLF", EVENTS, ["data: a\r\n\r\n"], 0],
    ["nothing behind a blank line in two pieces", EVENTS, ["data: a\r", "\n\r", "\n"], 0],
    ["not ended by one CRLF in two pieces", EVENTS, ["data: a\r", "\nx"], 10],
    ["small for many comments", EVENTS, Array<string>(100).fill(": ping\n\n"), 0],
  ])("%s", (_, type, pieces, size) => {
    expect(counted(type, ...pieces)).toBe(size);
  });
});

test("reading stops behind a limit, not at it", () => {
  const message = 16 * 1024 * 1024;
  expect([passedLimit(message, message), passedLimit(message + 1, 0)]).toEqual([
    undefined,
    message,
  ]);
  expect(passedLimit(0, 64 * 1024 * 1024 + 1)).toBe(64 * 1024 * 1024);
});
