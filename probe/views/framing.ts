/**
 * Cuts bytes into messages. The conversation feeds these piece by piece while it listens, the views
 * feed them the whole record: both read with the same eyes.
 *
 * A framer keeps no bytes, only where they stand: see `pieces.ts`.
 */
import { textOf } from "../transcript/body.ts";
import { Pieces, type Source } from "./pieces.ts";
import { sseFramer } from "./sse-framing.ts";

export { sseFramer };

/** The text of what may be one message, and how the stream announced it. */
export interface Frame {
  readonly text: string;
  /** The bytes began with a byte order mark; `text` is without it. */
  readonly bom: boolean;
  /** Fields of the server-sent event that carried it. */
  readonly sse?: { readonly event?: string; readonly id?: string; readonly retry?: number };
  /** How many blocks of the stream stood before it and were no frames. */
  readonly skipped?: number;
  /** Reads the text once more, for who did not keep it. */
  readonly again: () => string;
}

export interface Framer {
  /**
   * Takes the next bytes; returns the frames that they complete. `source` has them, from `offset`
   * on, whenever they are asked for again.
   */
  push(bytes: Uint8Array, source?: Source, offset?: number): readonly Frame[];
  /** The peer ended the stream; returns what that completes. */
  end(): readonly Frame[];
  /** How many blocks came since the last frame that held none: comments, blank lines. */
  readonly skipped?: number;
}

const BOM = "\uFEFF";
const LINE_FEED = 0x0a;

/** A frame that is all of some bytes, as `read` makes them a text. */
function frame(pieces: Pieces, read: (bytes: Uint8Array) => string): Frame {
  const text = read(pieces.bytes());
  const bom = text.startsWith(BOM);
  const again = () => withoutBom(read(pieces.bytes()));
  return { text: withoutBom(text), bom, again };
}

const withoutBom = (text: string) => (text.startsWith(BOM) ? text.slice(1) : text);

function lineOf(bytes: Uint8Array): string {
  const line = textOf(bytes);
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

/** Lines of a pipe, split on bytes so that no character is cut; a last line without its end counts. */
export function lineFramer(): Framer {
  let pending = new Pieces();
  const take = (): Frame => {
    const line = frame(pending, lineOf);
    pending = new Pieces();
    return line;
  };
  return {
    push(bytes, source = { data: bytes }, offset = 0) {
      const frames: Frame[] = [];
      let start = 0;
      for (let end; (end = bytes.indexOf(LINE_FEED, start)) >= 0; start = end + 1) {
        pending.add(source, offset + start, offset + end);
        frames.push(take());
      }
      pending.add(source, offset + start, offset + bytes.length);
      return frames;
    },
    end: () => (pending.size > 0 ? [take()] : []),
  };
}

/** A body that is one message as a whole. */
export function wholeFramer(): Framer {
  const pieces = new Pieces();
  return {
    push(bytes, source = { data: bytes }, offset = 0) {
      pieces.add(source, offset, offset + bytes.length);
      return [];
    },
    end() {
      const whole = frame(pieces, textOf);
      return whole.text.trim() === "" ? [] : [whole];
    },
  };
}

const SSE_LINE = /^(?:data|event|id|retry)?:/;

/**
 * The framer for an HTTP body, by its media type; where that is missing or says nothing useful, by
 * its first bytes. Undefined for a body that is neither JSON nor events, such as an HTML page.
 */
export function httpFramer(contentType: string | undefined, start: Uint8Array): Framer | undefined {
  const mediaType = contentType?.split(";")[0]!.trim().toLowerCase();
  if (mediaType === "text/event-stream") return sseFramer();
  if (mediaType === "application/json") return wholeFramer();
  const text = withoutBom(textOf(start.subarray(0, 256))).trimStart();
  if (/^[{[]/.test(text)) return wholeFramer();
  if (SSE_LINE.test(text)) return sseFramer();
  return undefined;
}
