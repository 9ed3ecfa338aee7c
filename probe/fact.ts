/** What a fact is: a published value that never counts for or against a server. */
import type { Transcript } from "./transcript/schema.ts";

export type Json =
  string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export interface Fact<Value extends Json = Json> {
  /** Stable for ever, and the name of its file. */
  readonly id: string;
  readonly title: string;
  /** One sentence: what the value is, with its unit. */
  readonly describes: string;
  /** Pure. `undefined` when the transcript says nothing about it: then the fact is absent. */
  run(transcript: Transcript): Value | undefined;
  /** The value as a person reads it, on a page or in a terminal. */
  show(value: Value): string;
}

/** Declares a fact; the default export of a file in `facts/`. */
export const defineFact = <Value extends Json>(fact: Fact<Value>): Fact<Value> =>
  Object.freeze(fact);
