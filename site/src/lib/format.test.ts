import { expect, test } from "vitest";
import { bytes, counted, dateTime, duration, share } from "./format.ts";

test.each([
  ["a time keeps its UTC digits", dateTime("2026-11-30T21:31:59.999Z"), "2026-11-30 21:31 UTC"],
  ["milliseconds below a second", duration(999), "999 ms"],
  ["seconds from there on", duration(2449), "2.4 s"],
  ["all of it", share(10000), "100 %"],
  ["almost all of it", share(9999), "99.99 %"],
  ["none of it", share(0), "0 %"],
  ["bytes", bytes(1023), "1023 B"],
  ["kibibytes", bytes(48211), "47.1 KiB"],
  ["mebibytes", bytes(3 * 1024 ** 2), "3.0 MiB"],
  ["one", counted(1, "server"), "1 server"],
  ["many", counted(1204, "server"), "1,204 servers"],
  ["an irregular plural", counted(0, "entry", "entries"), "0 entries"],
])("%s", (_, shown, expected) => {
  expect(shown).toBe(expected);
});
