/**
 * Cuts bytes into messages. The conversation feeds these piece by piece while it listens, the views
 * feed them the whole record: both read with the same eyes.
 */
import { createParser } from "eventsource-parser";
import { concat, streamingDecoder, textOf } from "../transcript/body.ts";

/** The text of what may be one message, and how the stream announced it. */
export interface Frame {
  readonly text: string;
  /** The bytes began with a byte order mark; `text` is without it. */
  readonly bom: boolean;
  /** Fields of the server-sent event that carried it. */
  readonly sse?: { readonly event?: string; readonly id?: string; readonly retry?: number };
}

export interface Framer {
  /** Takes the next bytes; returns the frames that they complete. */
  push(bytes: Uint8Array): readonly Frame[];
  /** The peer ended the stream; returns what that completes. */
  end(): readonly Frame[];
}

const BOM = "\uFEFF";
const LINE_FEED = 0x0a;

function frame(text: string): Frame {
  const bom = text.startsWith(BOM);
  return { text: bom ? text.slice(1) : text, bom };
}

/** Lines of a pipe, split on bytes so that no character is cut; a last line without its end counts. */
export function lineFramer(): Framer {
  let pending: Uint8Array[] = [];
  const take = (last: Uint8Array): Frame => {
    const line = textOf(concat([...pending, last]));
    pending = [];
    return frame(line.endsWith("\r") ? line.slice(0, -1) : line);
  };
  return {
    push(bytes) {
      const frames: Frame[] = [];
      let start = 0;
      for (let end; (end = bytes.indexOf(LINE_FEED, start)) >= 0; start = end + 1) {
        frames.push(take(bytes.subarray(start, end)));
      }
      if (start < bytes.length) pending.push(bytes.subarray(start));
      return frames;
    },
    end: () => (pending.length > 0 ? [take(new Uint8Array())] : []),
  };
}

/** Server-sent events, as the WHATWG standard dispatches them. Frames without data are kept. */
export function sseFramer(): Framer {
  const decoder = streamingDecoder();
  let frames: Frame[] = [];
  let retry: number | undefined;
  let endsWithCr = false;
  const parser = createParser({
    onEvent({ event, id, data }) {
      const sse = {
        ...(event === undefined ? {} : { event }),
        ...(id === undefined ? {} : { id }),
        ...(retry === undefined ? {} : { retry }),
      };
      frames.push({ text: data, bom: false, sse });
      retry = undefined;
    },
    onRetry: (ms) => (retry = ms),
  });
  const feed = (text: string): readonly Frame[] => {
    frames = [];
    parser.feed(text);
    if (text !== "") endsWithCr = text.endsWith("\r");
    return frames;
  };
  return {
    push: (bytes) => feed(decoder.decode(bytes)),
    // A final CR may be half of CRLF, so the parser holds it back. Completing it ends that line and
    // no other: an event that lacks its blank line is still discarded, as the standard says.
    end: () => [...feed(decoder.decode()), ...(endsWithCr ? feed("\n") : [])],
  };
}

/** A body that is one message as a whole. */
export function wholeFramer(): Framer {
  const parts: Uint8Array[] = [];
  return {
    push(bytes) {
      parts.push(bytes);
      return [];
    },
    end() {
      const whole = frame(textOf(concat(parts)));
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
  const text = frame(textOf(start.subarray(0, 256))).text.trimStart();
  if (/^[{[]/.test(text)) return wholeFramer();
  if (SSE_LINE.test(text)) return sseFramer();
  return undefined;
}
