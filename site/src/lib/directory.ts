/**
 * The directory as a set of static pages: one for each filter, order and page number.
 *
 * Links between them are the filters, so choosing works without JavaScript, every choice has an
 * address, and no page grows with the directory.
 */
import type { ServerRow } from "../../../scripts/api/schema.ts";
import { standing, STANDINGS, type Standing } from "./verdicts.ts";

export type Transport = ServerRow["transport"];
export const TRANSPORTS: readonly Transport[] = ["streamable-http", "sse", "stdio"];

export const SORTS = ["name", "verdict", "transport", "checked", "latency", "uptime"] as const;
export type Sort = (typeof SORTS)[number];

export interface View {
  readonly verdict: Standing | "any";
  readonly transport: Transport | "any";
  readonly sort: Sort;
  /** Counts from 1. */
  readonly page: number;
}

export const FRONT: View = { verdict: "any", transport: "any", sort: "name", page: 1 };
export const ROWS_PER_PAGE = 50;

/** The address of a view; the front page is the plain one. */
export function viewPath(view: View): `/${string}` {
  const { verdict, transport, sort, page } = view;
  if (verdict === "any" && transport === "any" && sort === "name" && page === 1) return "/";
  return `/directory/${verdict}/${transport}/${sort}/${page === 1 ? "" : `${page}/`}`;
}

/** Whether a listing belongs to a view. */
export const matches = (row: ServerRow, { verdict, transport }: View): boolean =>
  (verdict === "any" || standing(row.verdict) === verdict) &&
  (transport === "any" || row.transport === transport);

const ascending = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);

/** Compares by a number, `null` after all of them. */
const known = (a: number | null, b: number | null): number =>
  a === null || b === null ? ascending(Number(a === null), Number(b === null)) : a - b;

const COMPARE: Readonly<Record<Sort, (a: ServerRow, b: ServerRow) => number>> = {
  name: () => 0,
  verdict: (a, b) =>
    STANDINGS.indexOf(standing(a.verdict)) - STANDINGS.indexOf(standing(b.verdict)),
  transport: (a, b) => TRANSPORTS.indexOf(a.transport) - TRANSPORTS.indexOf(b.transport),
  checked: (a, b) => ascending(b.verdict.from?.checkedAt ?? "", a.verdict.from?.checkedAt ?? ""),
  latency: (a, b) => known(a.latency, b.latency),
  uptime: (a, b) => known(negated(a.uptime30d), negated(b.uptime30d)),
};

const negated = (n: number | null): number | null => (n === null ? null : -n);

/** Every listing of a view, all pages, in its order; equal ones by name in code-point order. */
export function select(servers: readonly ServerRow[], view: View): readonly ServerRow[] {
  return servers
    .filter((row) => matches(row, view))
    .sort((a, b) => COMPARE[view.sort](a, b) || ascending(a.name, b.name));
}

export interface ViewPage {
  readonly view: View;
  readonly rows: readonly ServerRow[];
  readonly total: number;
  readonly pages: number;
}

/** All pages of all views that hold a listing. The front page is among them, also when empty. */
export function viewPages(servers: readonly ServerRow[]): readonly ViewPage[] {
  const pages: ViewPage[] = [];
  for (const verdict of ["any", ...STANDINGS] as const) {
    for (const transport of ["any", ...TRANSPORTS] as const) {
      for (const sort of SORTS) {
        const view = { verdict, transport, sort, page: 1 };
        const rows = select(servers, view);
        const count = Math.ceil(rows.length / ROWS_PER_PAGE);
        const least = viewPath(view) === "/" ? 1 : 0;
        for (let page = 1; page <= Math.max(count, least); page++) {
          pages.push({
            view: { ...view, page },
            rows: rows.slice((page - 1) * ROWS_PER_PAGE, page * ROWS_PER_PAGE),
            total: rows.length,
            pages: count,
          });
        }
      }
    }
  }
  return pages;
}

export interface Choice {
  readonly value: string;
  readonly count: number;
  /** Null where nothing would be shown. */
  readonly path: `/${string}` | null;
  readonly chosen: boolean;
}

/** The values of one filter, each with the number of listings it would show beside the other filter. */
export function choices(
  servers: readonly ServerRow[],
  view: View,
  filter: "verdict" | "transport",
): readonly Choice[] {
  const values = filter === "verdict" ? STANDINGS : TRANSPORTS;
  return ["any", ...values].map((value) => {
    const next = { ...view, [filter]: value, page: 1 } as View;
    const count = servers.filter((row) => matches(row, next)).length;
    const path = count > 0 || viewPath(next) === "/" ? viewPath(next) : null;
    return { value, count, path, chosen: view[filter] === value };
  });
}
