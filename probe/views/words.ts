/** Small pieces of the sentences that checks and facts say. Peer text is quoted and cut. */
import { brief } from "./json.ts";

/**
 * A value a peer chose, for a sentence: scalars as JSON, the rest by its kind. An object is not
 * quoted, since its author finds it in the evidence, and writing out deep nesting overflows the stack.
 */
export function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" && value !== null ? "an object" : brief(value);
}

/** The start of a text, quoted. */
export function excerpt(text: string): string {
  return brief(text.trim());
}

/** Milliseconds as people say them: `250 ms`, `10 s`. */
export function duration(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`;
}

/** `1 tool`, `2 tools`; the plural is given where it is not the noun and an s. */
export function count(n: number, noun: string, plural = `${noun}s`): string {
  return `${n} ${n === 1 ? noun : plural}`;
}

/** ` 2 more are faulty too.`, or nothing when there are no more. */
export function andMore(n: number): string {
  return n === 0 ? "" : ` ${n} more ${n === 1 ? "is" : "are"} faulty too.`;
}
