/** Judges one of the three lists: declared, then every page answers, holds good entries, and it ends. */
import {
  cantTell,
  type CheckResult,
  type EventRef,
  failed,
  inapplicable,
  passed,
} from "../check.ts";
import type { Transcript } from "../transcript/schema.ts";
import { type Exchange, resultOf } from "./exchanges.ts";
import { type Item, type List, type ListEnd, type ListName, nextCursor } from "./lists.ts";
import { evidenceOf, notAsked, withoutAnswer } from "./no-reply.ts";
import { own } from "./json.ts";
import { opening } from "./opening.ts";
import { andMore, count, shown } from "./words.ts";

/** What is wrong with an entry, to follow "entry 3"; undefined when nothing is. */
export type EntryFault = (value: unknown) => string | undefined;

export function judgeList(
  transcript: Transcript,
  name: ListName,
  list: List,
  faultOf: EntryFault = () => undefined,
): CheckResult {
  const method = `${name}/list`;
  const [first, last] = [list.pages[0], list.pages.at(-1)];
  if (!list.declared) return inapplicable(`The server does not declare ${name}.`);
  if (!first || !last) return notAsked(transcript, method);
  const faulty = list.items.filter(({ value }) => faultOf(value) !== undefined);
  const [entry] = faulty;
  // A faulty entry stays proven when a later page meets a gate.
  if (entry) {
    const because = `Entry ${entry.index + 1} of ${method} ${faultOf(entry.value)}.`;
    return failed("entry-malformed", because + andMore(faulty.length - 1), sourceOf(entry, list));
  }
  const { end } = list;
  if (end.how === "gated") return pageMissing(transcript, name, list, end.page);
  if (end.how === "broken") return broken(transcript, name, list, end);
  const opened = opening(transcript);
  const modern = opened.opened && opened.era === "modern";
  const foreign = list.pages.find((page) => !isComplete(own(resultOf(page), "resultType")));
  if (modern && foreign) {
    const type = shown(own(resultOf(foreign), "resultType"));
    const because = `Expected ${method} to be complete, but its resultType is ${type}. Send "complete".`;
    return failed("result-type", because, evidenceOf(foreign));
  }
  const entries = count(list.items.length, "entry", "entries");
  const pages = count(list.pages.length, "page");
  const stop = end.how === "truncated" ? "; we stopped there, at our own limit" : "";
  return passed(`${method} gave ${entries} on ${pages}${stop}.`, [
    ...new Set([first.sent.ref, first.reply!.ref, last.reply!.ref]),
  ] as [EventRef, ...EventRef[]]);
}

/** Absent means complete, as in results of older servers. */
const isComplete = (type: unknown) => type === undefined || type === "complete";

function sourceOf(item: Item, list: List): readonly [EventRef, ...EventRef[]] {
  const page = list.pages.find(({ reply }) => reply?.ref === item.ref);
  return page ? [page.sent.ref, item.ref] : [item.ref];
}

function pageMissing(
  transcript: Transcript,
  name: ListName,
  { pages }: List,
  page: Exchange,
): CheckResult {
  return withoutAnswer(
    transcript,
    page,
    `Expected page ${pages.indexOf(page) + 1} of ${name}/list`,
    `Answer it, or do not declare ${name}.`,
  );
}

function broken(
  transcript: Transcript,
  name: ListName,
  list: List,
  { page, because }: Extract<ListEnd, { how: "broken" }>,
): CheckResult {
  const result = resultOf(page);
  const cursor = shown(nextCursor(result));
  const evidence = evidenceOf(page);
  const where = `Page ${list.pages.indexOf(page) + 1} of ${name}/list`;
  switch (because) {
    case "no-result":
      return pageMissing(transcript, name, list, page);
    case "no-array": {
      const found = shown(own(result, name));
      return failed(
        "no-array",
        `${where} must hold an array "${name}", but has ${found}.`,
        evidence,
      );
    }
    case "cursor-cycle":
      return failed(
        "cursor-cycle",
        `${where} names the cursor ${cursor} again, so the list never ends. Leave nextCursor out on the last page.`,
        evidence,
      );
    case "cursor-not-a-string":
      return failed(
        "cursor-not-a-string",
        `${where} has ${cursor} as nextCursor. Send a string, or leave it out on the last page.`,
        evidence,
      );
    case "unfinished":
      return cantTell(
        "probe-failed",
        `${where} names a next page, which we never asked for.`,
        evidence,
      );
  }
}
