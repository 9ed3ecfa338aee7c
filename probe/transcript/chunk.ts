/** The bytes of one event: in memory while they may grow, then wherever the spool puts them. */
import type { Spool } from "./spool.ts";

export class Chunk {
  readonly #spool: Spool;
  /** Undefined when the spool has the bytes. */
  #bytes: Uint8Array<ArrayBuffer> | undefined;
  #position = 0;
  #length: number;

  /** Begins with a copy of `data`. */
  constructor(spool: Spool, data: Uint8Array) {
    this.#spool = spool;
    this.#bytes = Uint8Array.from(data);
    this.#length = data.length;
  }

  get length(): number {
    return this.#length;
  }

  add(data: Uint8Array): void {
    const length = this.#length + data.length;
    let bytes = this.#bytes!;
    if (length > bytes.length) {
      bytes = new Uint8Array(Math.max(length, 2 * bytes.length));
      bytes.set(this.#bytes!);
      this.#bytes = bytes;
    }
    bytes.set(data, this.#length);
    this.#length = length;
  }

  /** Hands the bytes to the spool; nothing can be added any more. */
  store(): void {
    if (!this.#bytes) return;
    this.#position = this.#spool.append(this.#bytes.subarray(0, this.#length));
    this.#bytes = undefined;
  }

  /** Makes `data` of an event read from here. It is an own property, so that copies have the bytes. */
  settle(event: object): void {
    Object.defineProperty(event, "data", {
      get: () =>
        this.#bytes?.subarray(0, this.#length) ?? this.#spool.read(this.#position, this.#length),
      enumerable: true,
      configurable: true,
    });
  }
}
