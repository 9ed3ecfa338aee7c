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

/** What is known of a page without its entries, which may be too large to be kept or read twice. */
interface Page {
  readonly cursor: unknown;
  /** How many entries it has; undefined when it has no array for them. */
  readonly count: number | undefined;
}

const pagesRead = new WeakMap<Exchange, Page>();

function pageOf(name: ListName, exchange: Exchange): Page {
  let page = pagesRead.get(exchange);
  if (!page) {
    const result = resultOf(exchange);
    const list = own(result, name);
    const count = Array.isArray(list) ? list.length : undefined;
    pagesRead.set(exchange, (page = { cursor: nextCursor(result), count }));
  }
  return page;
}

/** The cursor of the next page: undefined at the end, where `null` is read as absent too. */
export function nextCursor(result: unknown): unknown {
  return own(result, "nextCursor") ?? undefined;
}

/** How a list ends after the pages so far; undefined when the next page is to be asked for. */
export function listEnd(name: ListName, pages: readonly Exchange[]): ListEnd | undefined {
  const page = pages.at(-1);
  if (!page) return undefined;
  if (!resultOf(page)) {
    const gate = gateOf(page);
    return gate ? { how: "gated", page, gate } : { how: "broken", page, because: "no-result" };
  }
  const { cursor, count } = pageOf(name, page);
  if (count === undefined) return { how: "broken", page, because: "no-array" };
  const items = pages.reduce((sum, each) => sum + (pageOf(name, each).count ?? 0), 0);
  if (items > limit("list-items")) return { how: "truncated" };
  if (cursor === undefined) return { how: "complete" };
  if (typeof cursor !== "string") return { how: "broken", page, because: "cursor-not-a-string" };
  if (pages.some(({ params }) => own(params, "cursor") === cursor)) {
    return { how: "broken", page, because: "cursor-cycle" };
  }
  const isFull = pages.length >= limit("list-pages") || items >= limit("list-items");
  if (isFull || cursor.length > limit("cursor")) return { how: "truncated" };
  return undefined;
}

function entries(name: ListName, page: Exchange): readonly unknown[] {
  const value = own(resultOf(page), name);
  return Array.isArray(value) ? (value as unknown[]) : [];
}

const read = (name: ListName) =>
  view((transcript): List => {
    const opened = opening(transcript);
    const pages = exchanges(transcript).filter(
      ({ purpose, method }) => purpose === "list" && method === `${name}/list`,
    );
    const last = pages.at(-1);
    const end = !last
      ? ({ how: "not-asked" } as const)
      : (listEnd(name, pages) ?? { how: "broken", page: last, because: "unfinished" });
    const items: Item[] = [];
    for (const page of pages) {
      const left = limit("list-items") - items.length;
      for (const value of entries(name, page).slice(0, left)) {
        items.push({ index: items.length, value, ref: page.reply!.ref });
      }
    }
    return {
      declared: declares(opened, name),
      pages,
      items,
      end,
    };
  });

export const tools = read("tools");
export const resources = read("resources");
export const prompts = read("prompts");
