/** The lists a server declares, read over all their pages. */
import type { EventRef } from "../check.ts";
import { limit } from "../rules.ts";
import { type Exchange, exchanges, resultOf } from "./exchanges.ts";
import { type Gate, gateOf } from "./gates.ts";
import { own } from "./json.ts";
import { declares, opening } from "./opening.ts";
import { view } from "./view.ts";

/** The three lists: capability, method and the member of the result are tied to each other. */
export type ListName = "tools" | "resources" | "prompts";

export interface List {
  readonly declared: boolean;
  readonly pages: readonly Exchange[];
  readonly items: readonly Item[];
  readonly end: ListEnd;
}

export interface Item {
  /** Position over all pages, from 0. Peers choose names, so positions identify. */
  readonly index: number;
  readonly value: unknown;
  /** The event that completed the page it stands on. */
  readonly ref: EventRef;
}

export type ListEnd =
  | { readonly how: "complete" }
  /** We stopped at our own limit of pages or items. */
  | { readonly how: "truncated" }
  /** Never asked: the conversation ended before. */
  | { readonly how: "not-asked" }
  | { readonly how: "gated"; readonly page: Exchange; readonly gate: Gate }
  /** A page came without what it must have, or not at all. */
  | { readonly how: "broken"; readonly page: Exchange; readonly because: Broken };

export type Broken =
  "no-result" | "no-array" | "cursor-cycle" | "cursor-not-a-string" | "unfinished";

/** The cursor of the next page: undefined at the end, where `null` is read as absent too. */
export function nextCursor(result: unknown): unknown {
  return own(result, "nextCursor") ?? undefined;
}

/** How a list ends after the pages so far; undefined when the next page is to be asked for. */
export function listEnd(name: ListName, pages: readonly Exchange[]): ListEnd | undefined {
  const page = pages.at(-1);
  if (!page) return undefined;
  const result = resultOf(page);
  if (!result) {
    const gate = gateOf(page);
    return gate ? { how: "gated", page, gate } : { how: "broken", page, because: "no-result" };
  }
  if (!Array.isArray(own(result, name))) return { how: "broken", page, because: "no-array" };
  const cursor = nextCursor(result);
  if (cursor === undefined) return { how: "complete" };
  if (typeof cursor !== "string") return { how: "broken", page, because: "cursor-not-a-string" };
  if (pages.some(({ params }) => own(params, "cursor") === cursor)) {
    return { how: "broken", page, because: "cursor-cycle" };
  }
  const items = pages.reduce((sum, each) => sum + entries(name, each).length, 0);
  if (pages.length >= limit("list-pages") || items >= limit("list-items")) {
    return { how: "truncated" };
  }
  return undefined;
}

function entries(name: ListName, page: Exchange): readonly unknown[] {
  const value = own(resultOf(page), name);
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** Whether a page that brought nothing was asked for again: then the repetition stands for it. */
function isRepeated(page: Exchange, later: readonly Exchange[]): boolean {
  const cursor = own(page.params, "cursor");
  return !resultOf(page) && later.some(({ params }) => own(params, "cursor") === cursor);
}

/** A page that is missing on the way counts as much as one that is missing at the end. */
function endOf(name: ListName, pages: readonly Exchange[]): ListEnd {
  const last = pages.at(-1);
  if (!last) return { how: "not-asked" };
  const ends = pages.map((_, index) => listEnd(name, pages.slice(0, index + 1)));
  const bad = ends.find((end) => end?.how === "gated" || end?.how === "broken");
  return bad ?? ends.at(-1) ?? { how: "broken", page: last, because: "unfinished" };
}

const read = (name: ListName) =>
  view((transcript): List => {
    const opened = opening(transcript);
    const asked = exchanges(transcript).filter(
      ({ purpose, method }) => purpose === "list" && method === `${name}/list`,
    );
    const pages = asked.filter((page, index) => !isRepeated(page, asked.slice(index + 1)));
    const items = pages.flatMap((page) =>
      entries(name, page).map((value) => ({ value, ref: page.reply!.ref })),
    );
    return {
      declared: declares(opened, name),
      pages,
      items: items.map((item, index) => ({ ...item, index })),
      end: endOf(name, pages),
    };
  });

export const tools = read("tools");
export const resources = read("resources");
export const prompts = read("prompts");
