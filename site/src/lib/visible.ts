/**
 * Text that strangers wrote, made safe to look at.
 *
 * Escaping keeps it from being markup. This keeps it from lying to the eye: what a terminal would
 * obey, what reverses the order of letters and what has no shape at all is written out as `\u{…}`.
 */

export interface Part {
  readonly text: string;
  /** True for a code point that is written out. */
  readonly escaped: boolean;
}

/**
 * Controls but tab and line feed, unpaired surrogates, private use, separators of lines, format
 * characters (bidi overrides, tags, joiners), and everything else that Unicode says may be invisible.
 */
const UNSEEN =
  /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}]/gu;
/** The variation selector that turns a character into its picture is as good as visible. */
const PICTURE = /(?<=\p{Extended_Pictographic})\uFE0F/gu;

const escape = (character: string): string => `\\u{${character.codePointAt(0)!.toString(16)}}`;

/** Splits `text` into what is shown as it is and what is written out. */
export function parts(text: string): readonly Part[] {
  const pictured = text.replace(PICTURE, "");
  const result: Part[] = [];
  let end = 0;
  for (const match of pictured.matchAll(UNSEEN)) {
    if (match.index > end) result.push({ text: pictured.slice(end, match.index), escaped: false });
    result.push({ text: escape(match[0]), escaped: true });
    end = match.index + match[0].length;
  }
  if (end < pictured.length) result.push({ text: pictured.slice(end), escaped: false });
  return result;
}

/** The same as one string, for titles and attributes. */
export function visible(text: string): string {
  return parts(text)
    .map((part) => part.text)
    .join("");
}

/** The first `limit` characters of visible text, for the descriptions in a page's head. */
export function brief(text: string, limit = 160): string {
  const shown = [...visible(text).replace(/\s+/g, " ").trim()];
  return shown.length <= limit ? shown.join("") : `${shown.slice(0, limit - 1).join("")}…`;
}
