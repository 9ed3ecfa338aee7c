/** The one way JSON is checked and written: declared key order, a line feed at the end. */
import { z } from "zod";
import { DataError } from "../errors.ts";

/** Where a value stands: a path, and a line that counts from 1. */
export interface Place {
  readonly path: string;
  readonly line?: number;
}

/** A value as one line of JSON; `DataError` at `place` when it does not fit its schema. */
export function jsonLine<T>(schema: z.ZodType<T>, value: T, place: Place): string {
  return `${JSON.stringify(inOrder(parse(schema, value, place), value))}\n`;
}

/** A value as a JSON file that people read. */
export function jsonFile<T>(schema: z.ZodType<T>, value: T, place: Place): string {
  return `${JSON.stringify(inOrder(parse(schema, value, place), value), null, 2)}\n`;
}

/**
 * Parses and checks JSON. The result is what JSON.parse made of the text: a schema drops members
 * named `__proto__`, and a stranger may well have sent one.
 */
export function readJson<T>(schema: z.ZodType<T>, text: string, place: Place): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DataError(place.path, place.line, `is no JSON: ${(error as Error).message}`);
  }
  try {
    parse(schema, value, place);
  } catch (error) {
    if (error instanceof DataError) throw error;
    // Checking can trip over what is read: nesting that overflows the stack, a `length` that is an
    // object which is no number.
    const words = `cannot be checked: ${(error as Error).message}`;
    throw new DataError(place.path, place.line, words);
  }
  return value as T;
}

function parse<T>(schema: z.ZodType<T>, value: unknown, place: Place): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue!.path.length === 0 ? "" : `${z.core.toDotPath(issue!.path)}: `;
  throw new DataError(place.path, place.line, `${where}${issue!.message}`);
}

/** `original` with the keys in the order of `parsed`; keys that parsing dropped come last. */
function inOrder(parsed: unknown, original: unknown): unknown {
  if (Array.isArray(parsed)) {
    return parsed.map((item, index) => inOrder(item, (original as unknown[])[index]));
  }
  if (typeof parsed !== "object" || parsed === null) return original;
  const from = original as Record<string, unknown>;
  const dropped = Object.keys(from).filter((key) => !Object.hasOwn(parsed, key));
  return Object.fromEntries([
    ...Object.entries(parsed).map(([key, value]) => [key, inOrder(value, from[key])] as const),
    ...dropped.map((key) => [key, from[key]] as const),
  ]);
}
