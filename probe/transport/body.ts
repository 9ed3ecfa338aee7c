/** Reads the body of an HTTP response to its end, decoding it where it is encoded. */
import type { IncomingMessage } from "node:http";
import { limit } from "../rules.ts";
import { messageSize } from "./caps.ts";
import { decoderFor, TooLarge } from "./decoding.ts";

interface Head {
  readonly headers: readonly (readonly [string, string])[];
  readonly codings: readonly string[];
}

interface Reader {
  /** Whether anybody still listens. */
  isOpen(): boolean;
  received(bytes: Uint8Array): void;
  decoded(bytes: Uint8Array): void;
  capped(limit: number): void;
  /** The limit that was passed with a message of `size` bytes so far, and `more` bytes in all. */
  passed(size: number, more: number): number | undefined;
}

/**
 * True when the body was read to its end, false when it outgrew a limit or nobody listens any more.
 * Rejects when the connection breaks, or with the fault of a body that cannot be decoded.
 */
export async function readBody(
  response: IncomingMessage,
  { headers, codings }: Head,
  reader: Reader,
): Promise<boolean> {
  const decoder = decoderFor(codings, limit("message"));
  // Each form counts. An encoded body has no messages before it is decoded, so it counts as one.
  const sizes = { received: messageSize(decoder ? [] : headers), decoded: messageSize(headers) };
  const fits = (form: keyof typeof sizes, bytes: Uint8Array): boolean => {
    reader[form](bytes);
    const passed = reader.passed(sizes[form](bytes), bytes.length);
    if (passed !== undefined) reader.capped(passed);
    return passed === undefined;
  };
  try {
    for await (const chunk of response as AsyncIterable<Uint8Array>) {
      // What arrives while an abort is on its way is no longer part of the conversation.
      if (!reader.isOpen() || !fits("received", chunk)) return false;
      for (const piece of (await decoder?.push(chunk)) ?? []) {
        if (!reader.isOpen() || !fits("decoded", piece)) return false;
      }
    }
    for (const piece of (await decoder?.end()) ?? []) {
      if (!reader.isOpen() || !fits("decoded", piece)) return false;
    }
    return true;
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    reader.capped(limit("message"));
    response.destroy();
    return false;
  } finally {
    decoder?.close();
  }
}
