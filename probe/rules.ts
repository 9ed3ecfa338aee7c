/** The public lists of `rules/`, checked once when they are loaded. */
import { z } from "zod";
import headers from "../rules/headers.json" with { type: "json" };
import limits from "../rules/limits.json" with { type: "json" };
import versions from "../rules/protocol-versions.json" with { type: "json" };

/** Every entry of every list says since when, until when and why. Dates are `YYYY-MM-DD`. */
const dated = { since: z.iso.date(), until: z.iso.date().nullable(), because: z.string().min(1) };

const list = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject({
    title: z.string(),
    describes: z.string(),
    entries: z.array(z.strictObject({ ...shape, ...dated })),
  });

const headerList = list({ name: z.string().regex(/^[a-z0-9-]+\*?$/) }).parse(headers);
const limitList = list({ name: z.string(), value: z.int(), unit: z.string() }).parse(limits);
const versionList = list({ version: z.string(), era: z.enum(["legacy", "modern"]) }).parse(
  versions,
);

export type Era = "legacy" | "modern";

/** Protocol versions that the specification has published, oldest first. */
export const protocolVersions: readonly { readonly version: string; readonly era: Era }[] =
  versionList.entries;

/** The newest published version of an era. */
export function newestVersion(era: Era): string {
  return protocolVersions.findLast((entry) => entry.era === era)!.version;
}

/** The era of a published version; undefined for a version that was never published. */
export function eraOf(version: unknown): Era | undefined {
  return protocolVersions.find((entry) => entry.version === version)?.era;
}

/** Whether a transcript keeps the value of a header; any case. */
export function keepsHeaderValue(name: string): boolean {
  const lower = name.toLowerCase();
  return headerList.entries.some(({ name: kept }) =>
    kept.endsWith("*") ? lower.startsWith(kept.slice(0, -1)) : lower === kept,
  );
}

const limitValues = new Map(limitList.entries.map(({ name, value }) => [name, value]));

/** A limit by its name in `rules/limits.json`: milliseconds, bytes or a count, as its entry says. */
export function limit(name: string): number {
  const value = limitValues.get(name);
  if (value === undefined) throw new Error(`rules/limits.json has no limit "${name}".`);
  return value;
}
