import { describe, expect, test } from "vitest";
import { visible } from "./visible.ts";

describe("text of strangers", () => {
  test.each([
    ["a terminal title", "\u001b]0;PWNED\u0007", "\\u{1b}]0;PWNED\\u{7}"],
    ["a second line", "1\n::set-env name=A::b", "1\\u{a}::set-env name=A::b"],
    ["a reversed order", "get_\u202edrow", "get_\\u{202e}drow"],
    ["invisible tags", "a\u{e0041}", "a\\u{e0041}"],
    ["a zero-width space", "del\u200bete", "del\\u{200b}ete"],
    ["a blank that only looks like one", "a\u00a0b", "a\\u{a0}b"],
  ])("cannot hide %s", (_, text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  test.each(["plain words", "Ünïcode – 漢字", "emoji 🎉"])("stays as it is: %s", (text) => {
    expect(visible(text)).toBe(text);
  });
});
