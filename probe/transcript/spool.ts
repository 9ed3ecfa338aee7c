/**
 * Bytes that may be too many for memory: the first ones stay in it, the others go to a temporary
 * file. The file has no name from the moment it is open, so that a crash leaves nothing behind.
 */
import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { limit } from "../rules.ts";

const FIRST_BYTES = 1024;

/** Whoever lets go of a spool without closing it has its file closed when memory is tidied. */
const forgotten = new FinalizationRegistry<number>((file) => closeSync(file));

export class Spool {
  /** What is not in the file yet; it begins at `#written`. */
  #buffer = new Uint8Array(FIRST_BYTES);
  #used = 0;
  #written = 0;
  #file: number | undefined;
  readonly #folder: string;

  /** `folder` takes the temporary file. */
  constructor(folder = tmpdir()) {
    this.#folder = folder;
  }

  /** How many bytes it holds. */
  get size(): number {
    return this.#written + this.#used;
  }

  /** Adds bytes and returns where they begin. Throws what the system says when there is no room. */
  append(bytes: Uint8Array): number {
    const position = this.size;
    const most = limit("spill");
    if (this.#used + bytes.length > most) this.#spill();
    if (bytes.length > most) this.#write(bytes);
    else {
      this.#makeRoom(bytes.length, most);
      this.#buffer.set(bytes, this.#used);
      this.#used += bytes.length;
    }
    return position;
  }

  /** A copy of the bytes from a position on. */
  read(position: number, length: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(length);
    const inFile = Math.min(length, Math.max(0, this.#written - position));
    for (let done = 0; done < inFile;) {
      const count = readSync(this.#file!, bytes, done, inFile - done, position + done);
      if (count === 0) throw new Error("A temporary file of ours lost its end.");
      done += count;
    }
    const start = position + inFile - this.#written;
    bytes.set(this.#buffer.subarray(start, start + length - inFile), inFile);
    return bytes;
  }

  /** Everything from the beginning, a piece at a time. */
  *pieces(): Iterable<Uint8Array<ArrayBuffer>> {
    const most = limit("spill");
    for (let at = 0; at < this.size; at += most) {
      yield this.read(at, Math.min(most, this.size - at));
    }
  }

  /** Lets go of the file; nothing can be read any more. */
  close(): void {
    if (this.#file === undefined) return;
    forgotten.unregister(this);
    closeSync(this.#file);
    this.#file = undefined;
  }

  #makeRoom(length: number, most: number): void {
    const needed = this.#used + length;
    if (needed <= this.#buffer.length) return;
    const larger = new Uint8Array(Math.min(most, Math.max(needed, this.#buffer.length * 2)));
    larger.set(this.#buffer.subarray(0, this.#used));
    this.#buffer = larger;
  }

  #spill(): void {
    this.#write(this.#buffer.subarray(0, this.#used));
    this.#used = 0;
  }

  #write(bytes: Uint8Array): void {
    this.#file ??= this.#open();
    for (let done = 0; done < bytes.length;) {
      done += writeSync(this.#file, bytes, done, bytes.length - done, this.#written + done);
    }
    this.#written += bytes.length;
  }

  #open(): number {
    const path = join(this.#folder, `probity-${process.pid}-${randomUUID()}`);
    const file = openSync(path, "wx+", 0o600);
    unlinkSync(path);
    forgotten.register(this, file, this);
    return file;
  }
}
