import { describe, expect, test } from "vitest";
import { bytesOf, textOf } from "../transcript/body.ts";
import { Pieces } from "./pieces.ts";

/** A source that counts how often its bytes were read. */
function source(text: string) {
  const state = { text, reads: 0 };
  return Object.defineProperty({ state, data: new Uint8Array() }, "data", {
    get: () => {
      state.reads += 1;
      return bytesOf(state.text);
    },
  });
}

describe("pieces", () => {
  test("are read again from where they stand", () => {
    const [first, second] = [source("hello "), source("world")];
    const pieces = new Pieces();
    pieces.add(first, 2, 6);
    pieces.add(second, 0, 3);
    expect([pieces.size, textOf(pieces.bytes())]).toEqual([7, "llo wor"]);
    expect(textOf(pieces.bytes())).toBe("llo wor");
  });

  test("that follow each other in one source are one", () => {
    const one = source("abcdef");
    const pieces = new Pieces();
    pieces.add(one, 0, 2);
    pieces.add(one, 2, 2);
    pieces.add(one, 2, 5);
    expect([pieces.size, textOf(pieces.bytes())]).toEqual([5, "abcde"]);
  });

  test("are nothing without bytes", () => {
    const pieces = new Pieces();
    pieces.add(source("abc"), 1, 1);
    expect([pieces.size, textOf(pieces.bytes())]).toEqual([0, ""]);
  });

  test("many in one source cost one look at it", () => {
    const one = source("a".repeat(1000));
    for (let at = 0; at < 1000; at += 1) {
      const pieces = new Pieces();
      pieces.add(one, at, at + 1);
      expect(textOf(pieces.bytes())).toBe("a");
    }
    expect(one.state.reads).toBe(1);
  });

  test("in a source that has grown are read as they are now", () => {
    const one = source("ab");
    const before = new Pieces();
    before.add(one, 0, 2);
    expect(textOf(before.bytes())).toBe("ab");
    one.state.text = "abcd";
    const after = new Pieces();
    after.add(one, 1, 4);
    expect(textOf(after.bytes())).toBe("bcd");
  });
});
