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
