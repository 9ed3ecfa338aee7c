/** Where reading stops: at one message that outgrew its limit, or at too much in one attempt. */
import { limit } from "../rules.ts";
import { headerOf } from "../views/messages.ts";

/** The limit that was passed, in bytes; undefined while neither was. */
export function passedLimit(message: number, attempt: number): number | undefined {
  if (message > limit("message")) return limit("message");
  return attempt > limit("attempt") ? limit("attempt") : undefined;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Measures the message that is coming in: the whole body, or in a stream of events what came since
 * the last blank line. A stream of many small messages may go on for long.
 */
export function messageSize(
  headers: readonly (readonly [string, string])[],
): (chunk: Uint8Array) => number {
  const type = headerOf(headers, "content-type") ?? "";
  let size = 0;
  if (!/^\s*text\/event-stream\b/i.test(type)) return (chunk) => (size += chunk.length);
  let empty = true;
  let previous = 0;
  return (chunk) => {
    for (const byte of chunk) {
      size += 1;
      const halfOfPair = byte === LINE_FEED && previous === CARRIAGE_RETURN;
      previous = byte;
      if (halfOfPair) {
        // The other half may have ended the message before.
        if (size === 1) size = 0;
        continue;
      }
      const endsLine = byte === LINE_FEED || byte === CARRIAGE_RETURN;
      if (endsLine && empty) size = 0;
      empty = endsLine;
    }
    return size;
  };
}
