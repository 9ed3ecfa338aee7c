/** The public lists of `rules/`, checked once when they are loaded. */
import { RE2JS, RE2Set } from "re2js";
import { z } from "zod";
import control from "../rules/control.json" with { type: "json" };
import packages from "../rules/control-packages.json" with { type: "json" };
import credentialDemands from "../rules/credential-demands.json" with { type: "json" };
import headers from "../rules/headers.json" with { type: "json" };
import limits from "../rules/limits.json" with { type: "json" };
import missingCredentials from "../rules/missing-credentials.json" with { type: "json" };
import missingServices from "../rules/missing-services.json" with { type: "json" };
import sandboxFaults from "../rules/sandbox-faults.json" with { type: "json" };
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
const controlList = list({
  capability: z.enum(["dns", "ipv4", "ipv6", "tls"]),
  host: z.string(),
  port: z.int().nullable(),
}).parse(control);
const versionList = list({ version: z.string(), era: z.enum(["legacy", "modern"]) }).parse(
  versions,
);

/** Something known to be good, to try a capability of ours on; a name to resolve has no port. */
export interface Endpoint {
  readonly capability: "dns" | "ipv4" | "ipv6" | "tls";
  readonly host: string;
  readonly port: number | null;
}

/** The known-good endpoints that are in use. */
export const controlEndpoints: readonly Endpoint[] = controlList.entries.filter(
  ({ until }) => until === null,
);

const packageList = list({ registry: z.literal("npm"), identifier: z.string() }).parse(packages);

/** Packages of npm that are known to be there, to try its registry on. */
export const controlPackages: readonly string[] = packageList.entries
  .filter(({ until }) => until === null)
  .map(({ identifier }) => identifier);

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

const patternList = list({ pattern: z.string() });

/** Finds what a text says by one of the patterns of a list; undefined when none matches. */
export type Find = (text: string) => string | undefined;

/**
 * Patterns run on an engine whose time is linear in the text: a stranger's words must not be able to
 * hold us up. An entry that has ended is kept for the record and does not match any more.
 */
function finder(file: unknown): Find {
  const entries = patternList.parse(file).entries.filter(({ until }) => until === null);
  // Compiled at the first use: most commands never read a stranger's words.
  let all: RE2Set | undefined;
  return (text) => {
    if (!all) {
      all = new RE2Set();
      for (const { pattern } of entries) all.add(pattern);
    }
    // Whether any of them matches is told a hundred times faster than where, and mostly none does.
    const first = entries[Math.min(...all.match(text))];
    const matcher = first && RE2JS.compile(first.pattern).matcher(text);
    return matcher?.find() ? (matcher.group() ?? undefined) : undefined;
  };
}

/** Words by which an answer asks for credentials. */
export const credentialDemand: Find = finder(credentialDemands);

/** Words by which a process says that it lacks a credential or a variable of its user's. */
export const missingCredential: Find = finder(missingCredentials);

/** Words by which a process says that a service, a network or a program is not there. */
export const missingService: Find = finder(missingServices);

/** Words by which a process says that our sandbox failed it. */
export const sandboxFault: Find = finder(sandboxFaults);
