/** Digests that a run names, so that it is known what it went by. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "./encoding.ts";

const RULES = join(import.meta.dirname, "../../rules");

/** SHA-256 over the names and contents of all lists in `rules/`. */
export async function rulesDigest(): Promise<string> {
  const files = (await readdir(RULES)).filter((file) => file.endsWith(".json")).sort();
  const lines = await Promise.all(
    files.map(async (file) => `${file} ${sha256(await readFile(join(RULES, file)))}\n`),
  );
  return sha256(lines.join(""));
}
