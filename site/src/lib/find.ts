/** Text search over the index of servers, in the reader's browser. */
import type { ServerRow } from "../../../scripts/api/schema.ts";

type Named = Pick<ServerRow, "name" | "title" | "description">;

const folded = (text: string): string => text.normalize("NFKC").toLowerCase();

/**
 * Listings whose name, title or description hold every word of `query`, those with all words in name
 * or title first; none for an empty query.
 */
export function find<Row extends Named>(servers: readonly Row[], query: string): readonly Row[] {
  const words = folded(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const holds = (text: string) => words.every((word) => text.includes(word));
  const found = servers.filter((row) =>
    holds(folded(`${row.name} ${row.title} ${row.description}`)),
  );
  const { named = [], described = [] } = Object.groupBy(found, (row) =>
    holds(folded(`${row.name} ${row.title}`)) ? "named" : "described",
  );
  return [...named, ...described];
}
