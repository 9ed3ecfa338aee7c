/**
 * Server-sent events, as the WHATWG standard dispatches them. Blocks are found by their bytes, and
 * each is parsed when it is whole: a parser that is fed piece by piece would hold what never ends.
 */
import { createParser } from "eventsource-parser";
import { textOf } from "../transcript/body.ts";
import type { Frame, Framer } from "./framing.ts";
import { Pieces } from "./pieces.ts";

const BOM = "\uFEFF";
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const DATA = "data";
const RETRY = "retry";
const BOM_BYTES = "\u00EF\u00BB\u00BF";

type Sse = NonNullable<Frame["sse"]>;

/** Frames without data are kept. */
export function sseFramer(): Framer {
  let block = new Pieces();
  /** The last block that said how long to wait before coming back, and carried no event. */
  let retry: Pieces | undefined;
  let hasData = false;
  let hasRetry = false;
  /** The line so far: its length, and its first bytes as characters. */
  let length = 0;
  let name = "";
  let afterCr = false;
  /** Nothing but the first line of the stream may begin with a byte order mark. */
  let first = true;
  let opening = true;

  function endLine(): void {
    if (first && name.startsWith(BOM_BYTES)) name = name.slice(BOM_BYTES.length);
    const field = name.split(":")[0];
    hasData ||= field === DATA;
    hasRetry ||= field === RETRY;
    first = false;
    length = 0;
    name = "";
  }

  /** A blank line came: what stands before it is an event, or nothing. */
  function endBlock(): readonly Frame[] {
    const whole = block;
    const before = retry;
    if (hasRetry) retry = whole;
    const dispatches = hasData;
    const skipsBom = opening;
    opening = false;
    block = new Pieces();
    hasData = hasRetry = false;
    if (!dispatches) return [];
    retry = undefined;
    const event = parse(whole, skipsBom);
    if (!event) return [];
    const waits = event.sse.retry ?? (before && retryOf(before));
    const sse = waits === undefined ? event.sse : { ...event.sse, retry: waits };
    return [{ text: event.data, bom: false, sse, again: () => parse(whole, skipsBom)!.data }];
  }

  return {
    push(bytes, source = { data: bytes }, offset = 0) {
      const frames: Frame[] = [];
      let start = 0;
      for (let at = 0; at < bytes.length; at += 1) {
        const byte = bytes[at]!;
        if (byte === LINE_FEED && afterCr) {
          afterCr = false;
          continue;
        }
        afterCr = byte === CARRIAGE_RETURN;
        if (byte !== LINE_FEED && byte !== CARRIAGE_RETURN) {
          if (length < BOM_BYTES.length + RETRY.length + 1) name += String.fromCharCode(byte);
          length += 1;
          continue;
        }
        const blank = length === 0;
        endLine();
        if (!blank) continue;
        block.add(source, offset + start, offset + at + 1);
        start = at + 1;
        frames.push(...endBlock());
      }
      block.add(source, offset + start, offset + bytes.length);
      return frames;
    },
    // An event that lacks its blank line is discarded, as the standard says.
    end: () => [],
  };
}

function parse(
  block: Pieces,
  skipsBom: boolean,
): { readonly data: string; readonly sse: Sse } | undefined {
  let found: { data: string; sse: Sse } | undefined;
  let retry: number | undefined;
  const parser = createParser({
    onEvent({ event, id, data }) {
      const sse = {
        ...(event === undefined ? {} : { event }),
        ...(id === undefined ? {} : { id }),
      };
      found ??= { data, sse };
    },
    onRetry: (ms) => (retry = ms),
  });
  feed(parser, block, skipsBom);
  return found && retry !== undefined ? { ...found, sse: { ...found.sse, retry } } : found;
}

function retryOf(block: Pieces): number | undefined {
  let retry: number | undefined;
  feed(createParser({ onRetry: (ms) => (retry = ms) }), block, false);
  return retry;
}

function feed(parser: { feed(text: string): void }, block: Pieces, skipsBom: boolean): void {
  // The parser would take the first characters it meets for a byte order mark read as Latin-1.
  parser.feed("\n");
  const whole = textOf(block.bytes());
  const text = skipsBom && whole.startsWith(BOM) ? whole.slice(1) : whole;
  // It holds a final CR back, since that may be half of CRLF.
  parser.feed(text.endsWith("\r") ? `${text}\n` : text);
}
