/**
 * Where bytes stand, without the bytes themselves: what is received may be too much to hold while a
 * message is still on its way, so it is read again when the message is whole.
 */
import { concat } from "../transcript/body.ts";

/** Something that has bytes: an event, as a rule. Reading them may cost a look into a file. */
export interface Source {
  readonly data: Uint8Array;
}

interface Piece {
  readonly source: Source;
  readonly from: number;
  to: number;
}

/** The bytes that were read last: many small messages stand in one source, and follow each other. */
let last: { readonly source: Source; readonly data: Uint8Array } | undefined;

function dataOf(source: Source, length: number): Uint8Array {
  // A source may have grown meanwhile.
  if (last?.source !== source || last.data.length < length) last = { source, data: source.data };
  return last.data;
}

export class Pieces {
  readonly #pieces: Piece[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds the bytes of a source from one position up to another. */
  add(source: Source, from: number, to: number): void {
    if (to === from) return;
    this.#size += to - from;
    const last = this.#pieces.at(-1);
    if (last?.source === source && last.to === from) last.to = to;
    else this.#pieces.push({ source, from, to });
  }

  /** All bytes in one array. */
  bytes(): Uint8Array {
    const parts = this.#pieces.map(({ source, from, to }) => dataOf(source, to).subarray(from, to));
    return parts.length === 1 ? parts[0]! : concat(parts);
  }
}
