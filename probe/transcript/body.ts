/**
 * Bytes as a server sent them, and their JSON form.
 *
 * In memory a body is a Uint8Array. In JSON it is `{"text": …}` when the bytes are valid UTF-8 that
 * survives the round trip, so that people can read and grep it, else `{"base64": …}`.
 */
import { z } from "zod";

// The pure half compiles without any platform's types. These four exist in every JavaScript
// runtime; naming them here keeps everything else (fetch, process, node:*) a type error.
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(input?: Uint8Array, options?: { stream?: boolean }): string;
}
declare class TextEncoder {
  encode(input: string): Uint8Array<ArrayBuffer>;
}
declare function atob(base64: string): string;
declare function btoa(binary: string): string;

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const tolerant = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

const JsonBody = z.union([
  z.strictObject({ text: z.string() }),
  z.strictObject({ base64: z.base64() }),
]);

/** The JSON form of a body. */
export type JsonBody = z.infer<typeof JsonBody>;

/** UTF-8 bytes of a text. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

/** The text of some bytes; malformed UTF-8 becomes U+FFFD, a byte order mark stays. */
export function textOf(bytes: Uint8Array): string {
  return tolerant.decode(bytes);
}

/** Decodes UTF-8 that arrives in pieces, also when a character is cut between two of them. */
export function streamingDecoder(): { decode(chunk?: Uint8Array): string } {
  const decoder = new TextDecoder("utf-8");
  return {
    decode: (chunk) => (chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode()),
  };
}

/** All parts in one array. */
export function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Bytes to their JSON form. */
export function encodeBody(bytes: Uint8Array): JsonBody {
  try {
    return { text: strict.decode(bytes) };
  } catch {
    let binary = "";
    for (let start = 0; start < bytes.length; start += 8192) {
      binary += String.fromCharCode(...bytes.subarray(start, start + 8192));
    }
    return { base64: btoa(binary) };
  }
}

/** A body's JSON form back to the bytes. */
export function decodeBody(body: JsonBody): Uint8Array<ArrayBuffer> {
  if ("text" in body) return bytesOf(body.text);
  return Uint8Array.from(atob(body.base64), (character) => character.charCodeAt(0));
}

/** Zod codec between a body's JSON form and its bytes. */
export const Body = z.codec(JsonBody, z.instanceof(Uint8Array), {
  decode: decodeBody,
  encode: encodeBody,
});
