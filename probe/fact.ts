/** What a fact is: a published value that never counts for or against a server. */
import type { Transcript } from "./transcript/schema.ts";

export type Json =
  string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export interface Fact {
  /** Stable for ever, and the name of its file. */
  readonly id: string;
  readonly title: string;
  /** One sentence: what the value is, with its unit. */
  readonly describes: string;
  /** Pure. `undefined` when the transcript says nothing about it: then the fact is absent. */
  run(transcript: Transcript): Json | undefined;
  /** The value as a person reads it, on a page or in a terminal. */
  show(value: Json): string;
}

/** Declares a fact; the default export of a file in `facts/`. */
export const defineFact = (fact: Fact): Fact => Object.freeze(fact);
