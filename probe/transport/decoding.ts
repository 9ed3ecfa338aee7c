/**
 * Undoes the content codings of HTTP, piece by piece. We ask for none; some servers, and more of the
 * proxies in front of them, encode all the same.
 */
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";
import type { Transform } from "node:stream";

/** Of Zstandard's window, as a power of two: 8 MiB, all that RFC 9659 lets HTTP use. */
const ZSTD_WINDOW = 23;

/** More came out than may be read. */
export class TooLarge extends Error {}

export interface Decoder {
  /** What these bytes complete. Rejects with `TooLarge`, or with the fault of the decoder. */
  push(bytes: Uint8Array): Promise<readonly Uint8Array[]>;
  /** What was held back until the end. */
  end(): Promise<readonly Uint8Array[]>;
  /** Gives its memory back. */
  close(): void;
}

/** A decoder that undoes these codings in their order; undefined for none. */
export function decoderFor(codings: readonly string[], mostBytes: number): Decoder | undefined {
  if (codings.length === 0) return undefined;
  const stages = codings.map((coding) => new Stage(STREAMS[coding]!, mostBytes));
  return {
    push: (bytes) => through(stages, [bytes], false),
    end: () => through(stages, [], true),
    close: () => stages.forEach((stage) => stage.close()),
  };
}

async function through(
  stages: readonly Stage[],
  bytes: readonly Uint8Array[],
  last: boolean,
): Promise<readonly Uint8Array[]> {
  let pieces = bytes;
  for (const stage of stages) {
    for (const piece of pieces) await stage.push(piece);
    if (last) await stage.end();
    pieces = stage.take();
  }
  return pieces;
}

// What is complete comes out at once, and a missing end is forgiven, as by browsers.
const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, ZSTD_e_flush } = constants;
const zlib = { flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH };

/** How to make the stream for a coding, given the first byte. */
const STREAMS: Readonly<Record<string, (first: number) => Transform>> = {
  gzip: () => createGunzip(zlib),
  "x-gzip": () => createGunzip(zlib),
  // The name means zlib's format; old servers send the bare one.
  deflate: (first) => ((first & 0x0f) === 8 ? createInflate(zlib) : createInflateRaw(zlib)),
  br: () =>
    createBrotliDecompress({ flush: BROTLI_OPERATION_FLUSH, finishFlush: BROTLI_OPERATION_FLUSH }),
  zstd: () =>
    createZstdDecompress({
      flush: ZSTD_e_flush,
      finishFlush: ZSTD_e_flush,
      params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW },
    }),
};

/** One coding. Made with the first byte: a body without any is not an encoded one. */
class Stage {
  readonly #make: (first: number) => Transform;
  readonly #mostBytes: number;
  #stream: Transform | undefined;
  #out: Uint8Array[] = [];
  #size = 0;
  #fault: Error | undefined;

  constructor(make: (first: number) => Transform, mostBytes: number) {
    this.#make = make;
    this.#mostBytes = mostBytes;
  }

  push(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return Promise.resolve();
    const stream = (this.#stream ??= this.#start(bytes[0]!));
    return this.#done(stream, (written) => stream.write(bytes, written));
  }

  end(): Promise<void> {
    const stream = this.#stream;
    return stream ? this.#done(stream, () => stream.end()) : Promise.resolve();
  }

  /** Settles when a step is over, or with the stream: a decoder that fails calls nobody back. */
  #done(stream: Transform, step: (over: () => void) => unknown): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        stream.off("close", settle);
        if (this.#fault) reject(this.#fault);
        else resolve();
      };
      if (stream.closed) return settle();
      stream.once("close", settle);
      step(settle);
    });
  }

  take(): readonly Uint8Array[] {
    const out = this.#out;
    this.#out = [];
    return out;
  }

  close(): void {
    this.#stream?.destroy();
  }

  #start(first: number): Transform {
    const stream = this.#make(first);
    stream.on("error", (error) => (this.#fault ??= error));
    stream.on("data", (piece: Uint8Array) => {
      this.#size += piece.length;
      this.#out.push(piece);
      if (this.#size <= this.#mostBytes || this.#fault) return;
      this.#fault = new TooLarge();
      stream.destroy();
    });
    return stream;
  }
}
