/** A server that speaks every published version of the protocol: words, numerals and Easter. */
import { z } from "zod";
import { result, serve } from "./serve.ts";

const NUMERALS: readonly (readonly [string, number])[] = [
  ["M", 1000],
  ["CM", 900],
  ["D", 500],
  ["CD", 400],
  ["C", 100],
  ["XC", 90],
  ["L", 50],
  ["XL", 40],
  ["X", 10],
  ["IX", 9],
  ["V", 5],
  ["IV", 4],
  ["I", 1],
];

const readOnly = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };
/** What `forget_totals` forgets: how many words were counted since the start. */
let total = 0;

serve({
  name: "both-eras",
  version: "1.0.0",
  legacy: "stateless",
  register(server) {
    server.registerTool(
      "count_words",
      {
        description: "Counts the words and lines of a text.",
        inputSchema: z.strictObject({ text: z.string().max(10_000) }),
        outputSchema: z.strictObject({ words: z.int(), lines: z.int() }),
        annotations: readOnly,
      },
      ({ text }) => {
        const words = text.split(/\s+/).filter((word) => word !== "").length;
        total += words;
        return result({ words, lines: text.split("\n").length });
      },
    );
    server.registerTool(
      "roman_numeral",
      {
        description: "Writes a whole number from 1 to 3999 as a Roman numeral.",
        inputSchema: z.strictObject({ number: z.int().min(1).max(3999) }),
        outputSchema: z.strictObject({ numeral: z.string() }),
        annotations: readOnly,
      },
      ({ number }) => result({ numeral: roman(number) }),
    );
    server.registerTool(
      "easter_date",
      {
        description: "Gives the date of Easter Sunday in a year of the Gregorian calendar.",
        inputSchema: z.strictObject({ year: z.int().min(1583).max(4099).default(2026) }),
        outputSchema: z.strictObject({ date: z.iso.date() }),
        annotations: readOnly,
      },
      ({ year }) => result({ date: easter(year) }),
    );
    server.registerTool(
      "forget_totals",
      {
        description: "Forgets how many words were counted so far.",
        outputSchema: z.strictObject({ forgotten: z.int() }),
        annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
      },
      () => {
        const forgotten = total;
        total = 0;
        return result({ forgotten });
      },
    );
  },
});

function roman(number: number): string {
  let rest = number;
  let numeral = "";
  for (const [letters, value] of NUMERALS) {
    numeral += letters.repeat(Math.floor(rest / value));
    rest %= value;
  }
  return numeral;
}

/** The anonymous Gregorian algorithm (Meeus, Jones, Butcher). */
function easter(year: number): string {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const moon =
    (19 * golden +
      century -
      Math.floor(century / 4) -
      Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3) +
      15) %
    30;
  const weekday =
    (32 + 2 * (century % 4) + 2 * Math.floor((year % 100) / 4) - moon - (year % 4)) % 7;
  const late = Math.floor((golden + 11 * moon + 22 * weekday) / 451);
  const day = moon + weekday - 7 * late + 114;
  const pad = (part: number) => String(part).padStart(2, "0");
  return `${year}-${pad(Math.floor(day / 31))}-${pad((day % 31) + 1)}`;
}
