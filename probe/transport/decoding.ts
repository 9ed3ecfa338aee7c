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
import { pipeline } from "node:stream/promises";

/** Of Zstandard's window, as a power of two: 8 MiB, all that RFC 9659 lets HTTP use. */
const ZSTD_WINDOW = 23;

/** More came out than may be read. */
export class TooLarge extends Error {}

/**
 * What a body holds that these codings were applied to, undone in their order. Ends with `TooLarge`,
 * with the fault of a decoder, or with that of the source. No more is read ahead than a decoder
 * holds: a few bytes can be millions when they are decoded.
 */
export function decoded(
  source: AsyncIterable<Uint8Array>,
  codings: readonly string[],
  mostBytes: number,
): AsyncIterable<Uint8Array> {
  return codings.reduce((from, coding) => undone(from, STREAMS[coding]!, mostBytes), source);
}

async function* undone(
  source: AsyncIterable<Uint8Array>,
  make: (first: number) => Transform,
  mostBytes: number,
): AsyncIterable<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  let first = await chunks.next();
  while (!first.done && first.value.length === 0) first = await chunks.next();
  // A body without any byte is not an encoded one.
  if (first.done) return;
  const stream = make(first.value[0]!);
  const fed = pipeline(from(first.value, chunks), stream);
  // Whoever reads the stream hears of the fault; and one who stops reading wants to hear of none.
  fed.catch(() => {});
  let size = 0;
  for await (const piece of stream as AsyncIterable<Uint8Array>) {
    size += piece.length;
    if (size > mostBytes) throw new TooLarge();
    yield piece;
  }
}

/** A chunk that was taken already, and the others behind it. */
async function* from(
  first: Uint8Array,
  others: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield first;
  try {
    for (let next = await others.next(); !next.done; next = await others.next()) yield next.value;
  } finally {
    await others.return?.();
  }
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
