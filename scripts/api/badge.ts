/**
 * The badge: verdict and date, because image proxies keep copies for days and only what is drawn
 * inside travels with them. It says our own words alone, so no server can write on it.
 */
import type { VerdictAssessment } from "../../methodology/verdict/assessment.ts";
import type { BadgeEndpoint } from "./schema.ts";

/** Fills on which white text keeps a contrast of 4.5 to 1. Red is for `dead` and nothing else. */
const COLOURS = {
  alive: "#1a7f37",
  degraded: "#9a6700",
  dead: "#b42318",
  unverifiable: "#4f6b88",
  unknown: "#5f6670",
} as const;
const LABEL_FILL = "#343a42";

/** A badge as shields.io draws it; `label` is the name of the directory. */
export function badgeEndpoint(label: string, assessment: VerdictAssessment): BadgeEndpoint {
  return { schemaVersion: 1, label: label.toLowerCase(), ...face(assessment) };
}

function face(assessment: VerdictAssessment): { message: string; color: string } {
  const { verdict, from, freshness, reason } = assessment;
  if (verdict === null || from === null)
    return { message: "no result yet", color: COLOURS.unknown };
  const day = from.checkedAt.slice(0, 10);
  if (freshness === "hidden") {
    return { message: `unknown · last seen ${day}`, color: COLOURS.unknown };
  }
  if (freshness === "stale") {
    return { message: `${verdict} (stale) · ${day}`, color: COLOURS.unknown };
  }
  // "Unverifiable" alone sounds like a fault; the reason says what is known.
  const known = verdict === "unverifiable" && reason ? ` (${reason.replaceAll("-", " ")})` : "";
  return { message: `${verdict}${known} · ${day}`, color: COLOURS[verdict] };
}

/** The same badge as an image of less than 1,000 bytes, without ids that could clash in a page. */
export function badgeSvg({ label, message, color }: BadgeEndpoint): string {
  const left = Math.round(widthOf(label));
  const right = Math.round(widthOf(message));
  const split = left + 2 * PADDING;
  const width = split + right + 2 * PADDING;
  const words = escapeXml(`${label}: ${message}`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${words}">`,
    `<title>${words}</title>`,
    `<path fill="${LABEL_FILL}" d="M${split} 0H3a3 3 0 0 0-3 3v14a3 3 0 0 0 3 3h${split - 3}z"/>`,
    `<path fill="${color}" d="M${split} 0h${width - split - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H${split}z"/>`,
    `<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="${FONT_SIZE}">`,
    `<text x="${PADDING}" y="14" textLength="${left}">${escapeXml(label)}</text>`,
    `<text x="${split + PADDING}" y="14" textLength="${right}">${escapeXml(message)}</text>`,
    `</g></svg>\n`,
  ].join("");
}

const PADDING = 6;
const FONT_SIZE = 11;

/** Advance widths of Verdana in thousandths of its size; `textLength` fits other fonts to them. */
const ADVANCES: readonly (readonly [number, string])[] = [
  [274, "il"],
  [344, "j"],
  [352, "f "],
  [364, ".,·"],
  [394, "t"],
  [427, "r"],
  [454, "-()"],
  [521, "cs"],
  [525, "z"],
  [592, "kvxy"],
  [596, "e"],
  [601, "a"],
  [607, "o"],
  [623, "bdgpq"],
  [633, "hnu"],
  [636, "0123456789"],
  [818, "w"],
  [973, "m"],
];
const ADVANCE_OF = new Map(
  ADVANCES.flatMap(([advance, characters]) =>
    Array.from(characters, (character) => [character, advance] as const),
  ),
);
/** For letters that only the name of a directory can bring in. */
const OTHER_ADVANCE = 700;

/** Width of a text in pixels. */
function widthOf(text: string): number {
  const sum = Array.from(text).reduce(
    (total, character) => total + (ADVANCE_OF.get(character) ?? OTHER_ADVANCE),
    0,
  );
  return (sum * FONT_SIZE) / 1000;
}

function escapeXml(text: string): string {
  return text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
