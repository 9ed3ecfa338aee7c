import { describe, expect, test } from "vitest";
import { bytesOf, concat } from "../transcript/body.ts";
import { type Framer, httpFramer, lineFramer, sseFramer } from "./framing.ts";

/** Texts of all frames when the bytes arrive in pieces of `size`. */
function texts(framer: Framer, bytes: Uint8Array, size = bytes.length): string[] {
  const frames = [];
  for (let start = 0; start < bytes.length; start += size) {
    frames.push(...framer.push(bytes.subarray(start, start + size)));
  }
  frames.push(...framer.end());
  return frames.map(({ text }) => text);
}

const BOM = Uint8Array.from([0xef, 0xbb, 0xbf]);

describe("server-sent events", () => {
  test.each([
    ["line feeds", 'data: {"a":"é"}\n\n', ['{"a":"é"}']],
    ["CRLF", 'event: message\r\ndata: {"a":"é"}\r\n\r\n', ['{"a":"é"}']],
    ["CR alone, ended by the end of the stream", 'data: {"a":1}\r\r', ['{"a":1}']],
    ["two data lines, no blank behind the colon", 'data:{"a":\ndata:1}\n\n', ['{"a":\n1}']],
    [
      "a priming event, a comment and a retry",
      "id: 1\nretry: 5\ndata: \n\n:hb\n\ndata: x\n\n",
      ["", "x"],
    ],
    ["an event without its closing blank line", "data: lost\n", []],
    ["the same, with CR", "data: lost\r", []],
  ])("are read with %s, however the bytes are cut", (_, stream, expected) => {
    for (const size of [1, 2, 3, 1000]) {
      expect(texts(sseFramer(), bytesOf(stream), size)).toEqual(expected);
    }
  });

  test("are read behind a byte order mark", () => {
    expect(texts(sseFramer(), concat([BOM, bytesOf("data: x\n\n")]))).toEqual(["x"]);
  });

  test("keep name, id and retry of the event", () => {
    const framer = sseFramer();
    const [frame] = framer.push(bytesOf("event: endpoint\nid: 7\nretry: 500\ndata: /m\n\n"));
    expect(frame!.sse).toEqual({ event: "endpoint", id: "7", retry: 500 });
  });
});

describe("lines of a pipe", () => {
  test.each([
    ["line feeds", "a\nb\n", ["a", "b"]],
    ["CRLF", "a\r\nb\r\n", ["a", "b"]],
    ["no end of the last line", "a\nb", ["a", "b"]],
    ["characters of several bytes", "╭──╮\n漢\n", ["╭──╮", "漢"]],
    ["blank lines", "\n\na\n", ["", "", "a"]],
  ])("are read with %s, however the bytes are cut", (_, stream, expected) => {
    for (const size of [1, 2, 5, 1000]) {
      expect(texts(lineFramer(), bytesOf(stream), size)).toEqual(expected);
    }
  });

  test("show a byte order mark, which is not part of the text", () => {
    const [frame] = lineFramer().push(concat([BOM, bytesOf("{}\n")]));
    expect(frame).toMatchObject({ text: "{}", bom: true });
  });
});

describe("an HTTP body is framed", () => {
  test.each([
    ["as events by its media type", "text/event-stream; charset=utf-8", "data: x\n\n", ["x"]],
    ["as events in any case", "Text/Event-Stream", "data: x\n\n", ["x"]],
    ["as JSON by its media type", "application/json;charset=UTF-8", "{}", ["{}"]],
    ["as JSON by its first byte", undefined, " [1]", [" [1]"]],
    ["as JSON by its first byte against its type", "text/plain", "{}", ["{}"]],
    ["as events by its first line", "text/plain", ": hi\n\ndata: x\n\n", ["x"]],
    ["as nothing when it is blank", "application/json", " \n", []],
  ])("%s", (_, type, body, expected) => {
    const framer = httpFramer(type, bytesOf(body));
    expect(framer && texts(framer, bytesOf(body))).toEqual(expected);
  });

  test.each([
    ["a page", "text/html", "<!doctype html>"],
    ["plain words", undefined, "Unauthorized"],
  ])("not at all when it is %s", (_, type, body) => {
    expect(httpFramer(type, bytesOf(body))).toBeUndefined();
  });
});
