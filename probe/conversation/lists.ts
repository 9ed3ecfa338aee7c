/** Asks for the lists a server declares, page by page, until they end or our limits are reached. */
import { limit } from "../rules.ts";
import type { Exchange } from "../views/exchanges.ts";
import { resultOf } from "../views/exchanges.ts";
import { type ListEnd, listEnd, type ListName, nextCursor } from "../views/lists.ts";
import type { Wire } from "./wire.ts";

/** Walks one list; returns how it ended. */
export async function walkList(wire: Wire, name: ListName): Promise<ListEnd> {
  const pages: Exchange[] = [];
  for (;;) {
    const cursor = nextCursor(resultOf(pages.at(-1)));
    const params = cursor === undefined ? {} : { params: { cursor } };
    const ask = { method: `${name}/list`, purpose: "list", ...params } as const;
    pages.push(await wire.request(ask, limit("list")));
    const end = listEnd(name, pages);
    if (end) return end;
  }
}
