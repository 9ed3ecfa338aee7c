/**
 * Recorded text as a page shows it: JSON with line breaks, and every control character written out.
 *
 * White space is added between the tokens of JSON and nowhere else. A line feed or tab of the record
 * is written out, so it cannot be taken for one that was added.
 */
import type { Evidence } from "../../../scripts/api/schema.ts";
import { type Part, parts } from "./visible.ts";

/** A list or an object that is no longer than this stays on one line. */
const WIDTH = 60;
/** Deeper levels are indented no further: what nests without end stays readable, and small. */
const DEEPEST = 6;

/** Header lines of HTTP, as the API writes them before a body. */
const HEAD = /^(?:[\w!#$%&'*+.^`|~-]+: [^\n]*\n)+\n?/;
const TOKEN = /"(?:[^"\\]|\\[^])*"?|[{}[\],:]|\s+|[^\s"{}[\],:]+/g;

/** The parts of an event's text, in their order. */
export function laidOut({ type, text, cutFrom }: Pick<Evidence, "type" | "text" | "cutFrom">) {
  const whole = text ?? "";
  const head = type === "sent" || type === "responded" ? (HEAD.exec(whole)?.[0] ?? "") : "";
  const lines = whole.slice(head.length).split("\n");
  const body = lines.flatMap((line, index): readonly Part[] => {
    const last = index === lines.length - 1;
    const shown = tabsWrittenOut(parts(jsonIndented(line, last && cutFrom !== null)));
    if (last) return shown;
    const end = index === lines.length - 2 && lines.at(-1) === "" ? "" : "\n";
    return [...shown, { text: "\\n", escaped: true }, { text: end, escaped: false }];
  });
  return [...parts(head), ...body].filter((part) => part.text !== "");
}

/** What jq is asked for to show these events of a raw transcript, one attempt a line. */
export function eventsQuery(startedAt: string, evidence: readonly Pick<Evidence, "event">[]) {
  const events = evidence.map(({ event }) => event).join(",");
  return `select(.startedAt == "${startedAt}").events[${events}]`;
}

function tabsWrittenOut(shown: readonly Part[]): readonly Part[] {
  return shown.flatMap((part) =>
    part.text.split(/(\t)/).map((text) => ({
      text: text === "\t" ? "\\t" : text,
      escaped: part.escaped || text === "\t",
    })),
  );
}

/** Indents the JSON of a line, also behind `data:`. Anything else stays as it is. */
function jsonIndented(line: string, cut: boolean): string {
  const field = /^data: ?/.exec(line)?.[0] ?? "";
  const value = line.slice(field.length);
  return /^[{[]/.test(value) && (cut || isJson(value)) ? field + indented(value) : line;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** `json` with line breaks and indents between its tokens; it may end anywhere. */
export function indented(json: string): string {
  const tokens = json.match(TOKEN) ?? [];
  const sizes = sizesOf(tokens);
  const broken: boolean[] = [];
  const newLine = () =>
    `\n${"  ".repeat(Math.min(broken.filter((isBroken) => isBroken).length, DEEPEST))}`;
  return tokens
    .map((token, index) => {
      if (token === "{" || token === "[") {
        broken.push((sizes.get(index) ?? Infinity) > WIDTH);
        return broken.at(-1) ? token + newLine() : token;
      }
      if (token === "}" || token === "]") return broken.pop() ? newLine() + token : token;
      return token === "," && broken.at(-1) ? token + newLine() : token;
    })
    .join("");
}

/** Characters of each list and object that ends, by the index of its first token. */
function sizesOf(tokens: readonly string[]): ReadonlyMap<number, number> {
  const sizes = new Map<number, number>();
  const open: { readonly index: number; readonly at: number }[] = [];
  let at = 0;
  tokens.forEach((token, index) => {
    if (token === "{" || token === "[") open.push({ index, at });
    at += token.length;
    const start = token === "}" || token === "]" ? open.pop() : undefined;
    if (start) sizes.set(start.index, at - start.at);
  });
  return sizes;
}
