/** Bodies that must not be shown any more. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DataError } from "../errors.ts";
import { readJson } from "./json.ts";
import { tombstonesFolder } from "./paths.ts";
import { Tombstone } from "./schema.ts";

/** All tombstones, by the digest of the body. */
export async function readTombstones(dataDir: string): Promise<ReadonlyMap<string, Tombstone>> {
  const folder = tombstonesFolder(dataDir);
  const tombstones = new Map<string, Tombstone>();
  for (const entry of await entriesOf(folder)) {
    if (!entry.endsWith(".json")) continue;
    const path = join(folder, entry);
    const tombstone = readJson(Tombstone, await readFile(path, "utf8"), { path });
    if (`${tombstone.sha256}.json` !== entry) {
      throw new DataError(path, undefined, `is named after another body than ${tombstone.sha256}`);
    }
    tombstones.set(tombstone.sha256, tombstone);
  }
  return tombstones;
}

/** Names in a folder in code unit order, hidden ones left out; none when it does not exist. */
export async function entriesOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return entries.filter((entry) => !entry.startsWith(".")).toSorted();
}
