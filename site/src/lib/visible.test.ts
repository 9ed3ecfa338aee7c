import { describe, expect, test } from "vitest";
import { brief, parts, visible } from "./visible.ts";

describe("visible", () => {
  test.each([
    ["plain text stays", "Acme Weather", "Acme Weather"],
    ["other scripts stay", "天気 طقس מזג אוויר", "天気 طقس מזג אוויר"],
    ["emoji stay", "☀\uFE0F and 🌧", "☀ and 🌧"],
    ["tab and line feed stay", "a\tb\nc", "a\tb\nc"],
    ["markup is left to Astro", "<b>&amp;</b>", "<b>&amp;</b>"],
    ["a terminal's escape sequence", "\u001b[2J", "\\u{1b}[2J"],
    ["NUL and carriage return", "a\0b\rc", "a\\u{0}b\\u{d}c"],
    ["C1 controls", "\u009b31m", "\\u{9b}31m"],
    ["a right-to-left override", "\u202Egnp.exe", "\\u{202e}gnp.exe"],
    ["bidi isolates", "\u2066x\u2069", "\\u{2066}x\\u{2069}"],
    ["zero-width characters", "pay\u200Bpal\uFEFF", "pay\\u{200b}pal\\u{feff}"],
    ["tag characters, which hide text from people only", "\u{E0041}", "\\u{e0041}"],
    ["a variation selector that changes no picture", "a\uFE0F", "a\\u{fe0f}"],
    ["fillers that look empty", "\u3164\u2800", "\\u{3164}\\u{2800}"],
    ["half of a surrogate pair", "\uD800", "\\u{d800}"],
    ["line separators", "a\u2028b", "a\\u{2028}b"],
  ])("%s", (_, text, expected) => {
    expect(visible(text)).toBe(expected);
  });
});

test("parts tell written-out code points from text that only looks like them", () => {
  expect(parts("\\u{1b}\u001b")).toEqual([
    { text: "\\u{1b}", escaped: false },
    { text: "\\u{1b}", escaped: true },
  ]);
});

describe("brief", () => {
  test("keeps a short text and folds its white space", () => {
    expect(brief(" a\n  b ")).toBe("a b");
  });
  test("cuts a long one between characters", () => {
    expect(brief("🌧".repeat(10), 4)).toBe("🌧🌧🌧…");
  });
});
