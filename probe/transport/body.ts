/** Reads the body of an HTTP response to its end, decoding it where it is encoded. */
import type { IncomingMessage } from "node:http";
import { limit } from "../rules.ts";
import { messageSize } from "./caps.ts";
import { decoded, TooLarge } from "./decoding.ts";

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
  const encoded = codings.length > 0;
  // Each form counts. An encoded body has no messages before it is decoded, so it counts as one.
  const sizes = { received: messageSize(encoded ? [] : headers), decoded: messageSize(headers) };
  let stopped = false;
  const fits = (form: keyof typeof sizes, bytes: Uint8Array): boolean => {
    // What arrives while an abort is on its way is no longer part of the conversation.
    stopped ||= !reader.isOpen();
    if (stopped) return false;
    reader[form](bytes);
    const passed = reader.passed(sizes[form](bytes), bytes.length);
    if (passed === undefined) return true;
    reader.capped(passed);
    stopped = true;
    return false;
  };
  async function* received(): AsyncIterable<Uint8Array> {
    for await (const chunk of response as AsyncIterable<Uint8Array>) {
      if (!fits("received", chunk)) return;
      yield chunk;
    }
  }
  try {
    const pieces = encoded ? decoded(received(), codings, limit("message")) : received();
    for await (const piece of pieces) if (encoded && !fits("decoded", piece)) return false;
    return !stopped;
  } catch (error) {
    if (stopped) return false;
    if (!(error instanceof TooLarge)) throw error;
    reader.capped(limit("message"));
    return false;
  } finally {
    if (stopped) response.destroy();
  }
}
