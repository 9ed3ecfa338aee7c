/** A history as one small picture: a column for each run, drawn as one path for each verdict. */
import type { HistoryRow } from "../../../scripts/api/schema.ts";
import { markOf, STANDINGS, STANDING_WORDS, type Standing } from "./verdicts.ts";

/** The newest runs that are drawn; older ones would be thinner than a line. */
export const STRIP_RUNS = 90;
const STEP = 4;
export const STRIP_HEIGHT = 20;

/** Each verdict has a shape of its own, so that no reader depends on colour. */
const COLUMNS: Readonly<Record<Standing, (x: number) => string>> = {
  alive: (x) => `M${x} 0h3v20h-3z`,
  unverifiable: (x) => `M${x + 1} 0h1v20h-1z`,
  degraded: (x) => `M${x} 0h3v8h-3zM${x} 12h3v8h-3z`,
  dead: (x) => `M${x} 14h3v6h-3z`,
  none: (x) => `M${x + 1} 18h1v2h-1z`,
};

export interface Strip {
  readonly width: number;
  readonly runs: number;
  readonly paths: readonly { readonly standing: Standing; readonly d: string }[];
  /** The picture in words: `90 runs: 86 alive, 3 degraded, 1 dead`. */
  readonly words: string;
}

/** Draws `history`, which is newest first, with the newest run at the right. */
export function strip(history: readonly HistoryRow[]): Strip {
  const shown = history.slice(0, STRIP_RUNS).toReversed();
  const columns = Map.groupBy(
    shown.map((row, index) => ({ standing: markOf(row.verdict), x: index * STEP })),
    (column) => column.standing,
  );
  const present = STANDINGS.filter((standing) => columns.has(standing));
  const counts = present.map(
    (standing) =>
      `${columns.get(standing)!.length} ${standing === "none" ? "without a verdict" : STANDING_WORDS[standing]}`,
  );
  return {
    width: Math.max(shown.length * STEP - 1, 1),
    runs: shown.length,
    paths: present.map((standing) => ({
      standing,
      d: columns
        .get(standing)!
        .map((column) => COLUMNS[standing](column.x))
        .join(""),
    })),
    words: `${shown.length} ${shown.length === 1 ? "run" : "runs"}: ${counts.join(", ")}`,
  };
}
