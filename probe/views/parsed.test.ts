import { describe, expect, test } from "vitest";
import { Parsed } from "./parsed.ts";

const MIB = 1024 * 1024;

/** Something parsed that counts how often its text was read. */
function parsed(json: unknown, bytes: number) {
  const count = { reads: 0 };
  const again = () => {
    count.reads += 1;
    return JSON.stringify(json);
  };
  return { count, value: new Parsed(again, json, bytes) };
}

describe("what was parsed", () => {
  test("is kept while there is room", () => {
    const [small, other] = [parsed({ a: 1 }, 100), parsed({ b: 2 }, 100)];
    expect([small.value.json(), other.value.json()]).toEqual([{ a: 1 }, { b: 2 }]);
    expect([small.count.reads, other.count.reads]).toEqual([0, 0]);
  });

  test("is read again after larger ones took its room", () => {
    const small = parsed({ a: 1 }, 100);
    parsed({ b: 2 }, 8 * MIB);
    expect(small.value.json()).toEqual({ a: 1 });
    expect(small.count.reads).toBe(1);
    expect(small.value.json()).toEqual({ a: 1 });
    expect(small.count.reads).toBe(1);
  });

  test("goes in the order in which it was asked for last", () => {
    const [first, second] = [parsed(1, 3 * MIB), parsed(2, 3 * MIB)];
    first.value.json();
    parsed(3, 4 * MIB);
    expect([first.value.json(), first.count.reads]).toEqual([1, 0]);
    expect([second.value.json(), second.count.reads]).toEqual([2, 1]);
  });

  test("and is larger than all the room is kept until the next one", () => {
    const large = parsed([1], 100 * MIB);
    large.value.json();
    expect(large.count.reads).toBe(0);
    parsed(2, 1);
    large.value.json();
    expect(large.count.reads).toBe(1);
  });

  test("gives its text anew each time", () => {
    const { value, count } = parsed("x", 1);
    expect([value.text(), value.text(), count.reads]).toEqual(['"x"', '"x"', 2]);
  });
});
