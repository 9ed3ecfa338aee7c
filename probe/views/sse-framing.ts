/**
 * Server-sent events, as the WHATWG standard dispatches them. Blocks are found by their bytes, and
 * each is parsed when it is whole: a parser that is fed piece by piece would hold what never ends.
 */
import { createParser } from "eventsource-parser";
import { bytesOf, textOf } from "../transcript/body.ts";
import type { Frame, Framer } from "./framing.ts";
import { Pieces } from "./pieces.ts";

const BOM = "\uFEFF";
const BOM_BYTES = [0xef, 0xbb, 0xbf];
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const COLON = 0x3a;
const DATA = [...bytesOf("data")];
const RETRY = [...bytesOf("retry")];

/** How much of a line tells which field it is. */
const NAME_BYTES = BOM_BYTES.length + RETRY.length + 1;

type Sse = NonNullable<Frame["sse"]>;

/** Frames without data are kept. */
export function sseFramer(): Framer {
  let block = new Pieces();
  /** The last block that said how long to wait before coming back, and carried no event. */
  let retry: Pieces | undefined;
  let hasData = false;
  let hasRetry = false;
  /** The line so far: its length, and its first bytes. */
  let length = 0;
  const name = new Uint8Array(NAME_BYTES);
  let afterCr = false;
  /** Nothing but the first line of the stream may begin with a byte order mark. */
  let first = true;
  let opening = true;
  let skipped = 0;

  function takeLine(bytes: Uint8Array, from: number, to: number): void {
    for (let at = from; at < to && length + at - from < NAME_BYTES; at += 1) {
      name[length + at - from] = bytes[at]!;
    }
    length += to - from;
  }

  function isField(field: readonly number[]): boolean {
    const start =
      first && length >= BOM_BYTES.length && beginsWith(name, 0, BOM_BYTES) ? BOM_BYTES.length : 0;
    const end = start + field.length;
    if (length < end || !beginsWith(name, start, field)) return false;
    return length === end || name[end] === COLON;
  }

  function endLine(): void {
    hasData ||= isField(DATA);
    hasRetry ||= isField(RETRY);
    first = false;
    length = 0;
  }

  /** A blank line came: what stands before it is an event, or nothing. */
  function endBlock(): readonly Frame[] {
    const whole = block;
    const asked = retry;
    if (hasRetry) retry = whole;
    const dispatches = hasData;
    const skipsBom = opening;
    opening = false;
    block = new Pieces();
    hasData = hasRetry = false;
    if (!dispatches) {
      skipped += 1;
      return [];
    }
    retry = undefined;
    const event = parse(whole, skipsBom);
    if (!event) return [];
    const before = skipped;
    skipped = 0;
    const waits = event.sse.retry ?? (asked && retryOf(asked));
    const sse = waits === undefined ? event.sse : { ...event.sse, retry: waits };
    return [
      {
        text: event.data,
        bom: false,
        sse,
        skipped: before,
        again: () => parse(whole, skipsBom)!.data,
      },
    ];
  }

  return {
    push(bytes, source = { data: bytes }, offset = 0) {
      const frames: Frame[] = [];
      const lineFeed = finder(bytes, LINE_FEED);
      const carriageReturn = finder(bytes, CARRIAGE_RETURN);
      let start = 0;
      for (let at = 0; at < bytes.length;) {
        if (afterCr && bytes[at] === LINE_FEED) {
          afterCr = false;
          at += 1;
          continue;
        }
        const end = Math.min(lineFeed(at), carriageReturn(at));
        takeLine(bytes, at, end);
        at = end + 1;
        afterCr = bytes[end] === CARRIAGE_RETURN;
        if (end === bytes.length) break;
        const blank = length === 0;
        if (!blank) {
          endLine();
          continue;
        }
        first = false;
        block.add(source, offset + start, offset + at);
        start = at;
        frames.push(...endBlock());
      }
      block.add(source, offset + start, offset + bytes.length);
      return frames;
    },
    get skipped() {
      return skipped;
    },
    // An event that lacks its blank line is discarded, as the standard says.
    end: () => [],
  };
}

function beginsWith(bytes: Uint8Array, start: number, wanted: readonly number[]): boolean {
  for (let at = 0; at < wanted.length; at += 1) if (bytes[start + at] !== wanted[at]) return false;
  return true;
}

/** Where a byte stands next, from a position on; the end where it is missing. Positions only grow. */
function finder(bytes: Uint8Array, byte: number): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found < from) {
      const next = bytes.indexOf(byte, from);
      found = next < 0 ? bytes.length : next;
    }
    return found;
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
