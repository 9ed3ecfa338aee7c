import { describe, expect, test } from "vitest";
import { brief, isFilled, isObject, own, parseJson } from "./json.ts";

describe("own", () => {
  test("reads an own member, whatever its name", () => {
    expect(own(JSON.parse('{"__proto__":1}'), "__proto__")).toBe(1);
  });
  test.each([
    ["an inherited one", {}, "toString"],
    ["one of the prototype", JSON.parse('{"annotations":{}}'), "constructor"],
    ["of an array", [1], "length"],
    ["of null", null, "a"],
    ["of a text", "abc", "length"],
  ])("does not read %s", (_, value, key) => {
    expect(own(value, key)).toBeUndefined();
  });
});

test("an object is neither null nor an array", () => {
  expect([{}, null, [], "a"].map(isObject)).toEqual([true, false, false, false]);
});

test("a filled text has more than white space", () => {
  expect(["a", "", " \n", 1].map(isFilled)).toEqual([true, false, false, false]);
});

test("malformed JSON is undefined, which no JSON text means", () => {
  expect([parseJson("{}"), parseJson("null"), parseJson("{")]).toEqual([{}, null, undefined]);
});

describe("a value in brief", () => {
  test("is its JSON, cut", () => {
    expect(brief({ a: 1 })).toBe('{"a":1}');
    expect(brief("x".repeat(200))).toHaveLength(80);
    expect(brief(undefined)).toBe("nothing");
  });
  test("is never cut inside a character", () => {
    for (const start of ["", "x"]) {
      const text = brief(start + "😀".repeat(100));
      expect(text.isWellFormed()).toBe(true);
      expect(text.length).toBeGreaterThanOrEqual(79);
    }
  });
  test("does not overflow the stack", () => {
    const deep: unknown = JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
    expect(brief(deep)).toBe("an array");
  });
});
