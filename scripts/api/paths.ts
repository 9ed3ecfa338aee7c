/**
 * Where a listing's files are, below `api/v1`. Paths are made of listing names and numbers alone:
 * what a server says never names a file.
 */
import { DataError } from "../../probe/errors.ts";

/** As in the MCP registry, but neither half may be dots alone. */
const NAME = /^(?!\.+\/)[A-Za-z0-9.-]+\/(?!\.+$)[A-Za-z0-9._-]+$/;

/** The name itself; `DataError` when it could leave its folder. */
function safe(name: string): string {
  if (NAME.test(name)) return name;
  throw new DataError(name, undefined, "a listing is named namespace/name: letters, digits, . _ -");
}

export const serverPath = (name: string): string => `servers/${safe(name)}.json`;

export const badgePath = (name: string, extension: "svg" | "json"): string =>
  `badges/${safe(name)}.${extension}`;

/** `index` is the target's place in its listing, from 0. */
export const rawPath = (name: string, index: number): string => `raw/${safe(name)}/${index}.jsonl`;
