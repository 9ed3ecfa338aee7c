/** `servers.json`: one row a listing. */
import type { ServerIndex, ServerPage, ServerRow } from "./schema.ts";

/** The row of a page, taken from the page so that the two cannot disagree. */
export function serverRow({ name, title, description, verdict, targets }: ServerPage): ServerRow {
  const primary = targets[0];
  return {
    name,
    title,
    description,
    transport: primary?.transport ?? "stdio",
    targets: targets.length,
    verdict,
    latency: primary?.metrics.latency.opening?.p50 ?? null,
    uptime30d: primary?.metrics.uptime["30d"]?.share ?? null,
  };
}

/** By name, in code unit order: the same on every machine. */
export function serverIndex(rows: readonly ServerRow[], asOf: string | null): ServerIndex {
  return { asOf, servers: rows.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
}
