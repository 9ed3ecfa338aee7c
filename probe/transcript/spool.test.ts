import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { limit } from "../rules.ts";
import { Spool } from "./spool.ts";

const SPILL = limit("spill");
const NOWHERE = join(tmpdir(), "probity-no-such-folder", "at-all");

/** Bytes that say where they stand. */
const bytes = (from: number, length: number) =>
  Uint8Array.from({ length }, (_, at) => ((from + at) * 31 + ((from + at) >> 8)) & 0xff);

function filled(...lengths: readonly number[]): Spool {
  const spool = new Spool();
  for (const length of lengths) spool.append(bytes(spool.size, length));
  return spool;
}

describe("what was appended is read back", () => {
  test.each<[string, number[]]>([
    ["from memory", [10, 20]],
    ["from the buffer, full to its end", [SPILL - 1, 1]],
    ["from the file and the buffer", [SPILL - 1, 2, 5]],
    ["from the file alone, a piece larger than the buffer", [3, SPILL + 1]],
    ["over many spills", Array<number>(9).fill(SPILL / 2 + 1)],
  ])("%s", (_, lengths) => {
    const spool = filled(...lengths);
    const size = lengths.reduce((sum, length) => sum + length, 0);
    expect(spool.size).toBe(size);
    expect(Buffer.compare(spool.read(0, size), bytes(0, size))).toBe(0);
    const middle = Math.floor(size / 2);
    expect(Buffer.compare(spool.read(middle, 2), bytes(middle, 2))).toBe(0);
    expect(Buffer.compare(Buffer.concat([...spool.pieces()]), bytes(0, size))).toBe(0);
    spool.close();
  });
});

test("each append tells where its bytes begin", () => {
  const spool = new Spool();
  expect([
    spool.append(bytes(0, 7)),
    spool.append(bytes(0, SPILL)),
    spool.append(bytes(0, 1)),
  ]).toEqual([0, 7, 7 + SPILL]);
  spool.close();
});

test("the file has no name that could be left behind", () => {
  const before = namesOf();
  const spool = filled(SPILL, SPILL);
  expect(namesOf()).toEqual(before);
  spool.close();
});

const namesOf = () =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`probity-${process.pid}-`));

describe("where no file can be made", () => {
  test("an append that needs one throws what the system says, and loses nothing", () => {
    const spool = new Spool(NOWHERE);
    spool.append(bytes(0, SPILL));
    expect(() => spool.append(bytes(SPILL, 1))).toThrow(
      expect.objectContaining({ code: "ENOENT" }),
    );
    expect(spool.size).toBe(SPILL);
    expect(Buffer.compare(spool.read(0, SPILL), bytes(0, SPILL))).toBe(0);
  });

  test("what fits into memory is taken", () => {
    const spool = new Spool(NOWHERE);
    spool.append(bytes(0, 9));
    expect(spool.read(0, 9)).toEqual(bytes(0, 9));
  });
});
