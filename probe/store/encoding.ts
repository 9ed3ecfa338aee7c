/** Files of JSON Lines, compressed or not: the extension decides, digests are of the plain bytes. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline, type Readable } from "node:stream";
import {
  constants,
  createGunzip,
  createZstdDecompress,
  gzipSync,
  zstdCompressSync,
} from "node:zlib";
import { DataError } from "../errors.ts";
import { EXTENSIONS, type Extension } from "./paths.ts";

/** Higher levels cost much time and save little on shards of this size. */
const ZSTD_LEVEL = 10;
const LINE_FEED = 0x0a;

/** SHA-256 in hex. */
export function sha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

export function compress(bytes: Uint8Array, extension: Extension): Uint8Array {
  switch (extension) {
    case ".jsonl.zst":
      return zstdCompressSync(bytes, {
        params: {
          [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL,
          [constants.ZSTD_c_checksumFlag]: 1,
        },
      });
    case ".jsonl.gz":
      return gzipSync(bytes);
    case ".jsonl":
      return bytes;
  }
}

export interface Line {
  /** Counts from 1. */
  readonly line: number;
  /** Without its line feed. */
  readonly text: string;
}

/**
 * The lines of a stored file. Only a line feed ends a line: readline would also cut at U+2028, which
 * JSON allows in a string.
 */
export async function* linesOf(path: string): AsyncIterable<Line> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let pending: Buffer[] = [];
  let line = 1;
  for await (const chunk of chunksOf(path)) {
    let start = 0;
    for (let end; (end = chunk.indexOf(LINE_FEED, start)) >= 0; start = end + 1) {
      yield { line, text: decode(Buffer.concat([...pending, chunk.subarray(start, end)])) };
      pending = [];
      line += 1;
    }
    if (start < chunk.length) pending.push(chunk.subarray(start));
  }
  if (pending.length > 0) throw new DataError(path, line, "the last line has no end");

  function decode(bytes: Uint8Array): string {
    try {
      return decoder.decode(bytes);
    } catch {
      throw new DataError(path, line, "is not UTF-8");
    }
  }
}

/** Size and digest of the uncompressed bytes of a stored file. */
export async function digestOf(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of chunksOf(path)) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest("hex") };
}

async function* chunksOf(path: string): AsyncIterable<Buffer> {
  try {
    yield* plain(path);
  } catch (error) {
    throw new DataError(path, undefined, `cannot be read: ${(error as Error).message}`);
  }
}

/** `pipeline` hands an error of the file on to whoever reads the decompressed side. */
function plain(path: string): Readable {
  const file = createReadStream(path);
  const done = () => {};
  const extension = EXTENSIONS.find((candidate) => path.endsWith(candidate));
  if (extension === ".jsonl.zst") return pipeline(file, createZstdDecompress(), done);
  if (extension === ".jsonl.gz") return pipeline(file, createGunzip(), done);
  return file;
}
