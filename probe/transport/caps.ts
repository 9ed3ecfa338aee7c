/** Where reading stops: at one message that outgrew its limit, or at too much in one attempt. */
import { limit } from "../rules.ts";
import { headerOf, isEventStream } from "../views/messages.ts";

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
  let size = 0;
  if (!isEventStream(headerOf(headers, "content-type"))) return (chunk) => (size += chunk.length);
  let empty = true;
  let afterCr = false;
  return (chunk) => {
    for (let at = 0; at < chunk.length;) {
      if (afterCr && chunk[at] === LINE_FEED) {
        afterCr = false;
        at += 1;
        // The other half may have ended the message before.
        if (size > 0) size += 1;
        continue;
      }
      const end = lineEnd(chunk, at);
      afterCr = chunk[end] === CARRIAGE_RETURN;
      const ends = end < chunk.length;
      size += end - at + (ends ? 1 : 0);
      if (end > at) empty = false;
      if (ends && empty) size = 0;
      if (ends) empty = true;
      at = end + 1;
    }
    return size;
  };
}

/** Where the line that begins at `start` ends, in these bytes. */
function lineEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== LINE_FEED && bytes[at] !== CARRIAGE_RETURN) at += 1;
  return at;
}
