/**
 * Reading JSON that a stranger wrote. Own properties only, no merging, no indexing by peer text into
 * objects of ours: `__proto__` and `constructor` are names like any other.
 */

export type JsonObject = { readonly [key: string]: unknown };

/** A JSON object: neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own property's value, else undefined. */
export function own(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** A string with something in it besides white space. */
export function isFilled(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

/** Parses JSON; undefined (which no JSON text means) when it is malformed. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether a value can be the id of a request of ours; servers choose longer ones, to be repeated. */
export function isShortId(value: unknown): value is string | number {
  return typeof value === "number" || (typeof value === "string" && value.length <= 64);
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;

/** How many values a JSON text holds, about: its opening brackets and commas outside strings. */
export function weightOf(text: string): number {
  let weight = 1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA || code === OPEN_ARRAY || code === OPEN_OBJECT) weight += 1;
  }
  return weight;
}

/** The position of the quote that ends the string which begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    // Backslashes escape each other; an odd one is left for the quote.
    if ((at - before) % 2 === 1) return at;
  }
  return text.length;
}

/** A value as one short line for a sentence: JSON, at most 80 characters. */
export function brief(value: unknown): string {
  const text = stringify(value);
  // A pair of surrogates that is cut in two would be no text any more.
  return text.length > 80 ? `${text.slice(0, 79).replace(/[\ud800-\udbff]$/, "")}…` : text;
}

/** JSON of a value; writing out very deep nesting overflows the stack, and then only its kind is said. */
function stringify(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "nothing";
  } catch {
    return Array.isArray(value) ? "an array" : "an object";
  }
}
