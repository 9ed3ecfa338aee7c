/** Text of strangers, made safe to print: nothing in it can move a cursor or reorder a line. */

/** Control, format, surrogate and private characters, line separators, and blanks that look like others. */
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

/** The text with every character that does not simply show itself written as `\u{…}`. */
export function visible(text: string): string {
  return text.replace(UNSAFE, (character) => {
    return `\\u{${character.codePointAt(0)!.toString(16)}}`;
  });
}
