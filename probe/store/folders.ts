/** What is there: whether a path is, and what a folder holds, sorted and without hidden names. */
import type { Dirent } from "node:fs";
import { access, mkdir, readdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { UsageError } from "../errors.ts";

export const foldersIn = (folder: string) => namesIn(folder, (entry) => entry.isDirectory());

export const filesIn = (folder: string) => namesIn(folder, (entry) => entry.isFile());

async function namesIn(
  folder: string,
  wanted: (entry: Dirent) => boolean,
): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => wanted(entry) && !entry.name.startsWith("."))
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return [];
    throw error;
  }
}

/** Whether there is anything at a path. */
export function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/**
 * Makes a folder with all that lead to it, one by one: asked for all of them at once, Node never comes
 * back where the system denies that a folder exists in which nothing can be made, as in /proc.
 */
export async function makeFolder(path: string): Promise<void> {
  const missing: string[] = [];
  let above = resolve(path);
  while (!(await exists(above))) {
    missing.unshift(above);
    above = dirname(above);
  }
  if (!(await stat(above)).isDirectory()) {
    throw new UsageError(`${path} cannot be made: ${above} is not a folder. Name another place.`);
  }
  for (const folder of missing) {
    await mkdir(folder).catch(async (error: Error & { code?: string }) => {
      // Somebody else may have made it at the same time; a link that leads nowhere is there too.
      if (error.code === "EEXIST" && (await exists(folder))) return;
      const why = `${folder} cannot be made in ${dirname(folder)} (${error.code})`;
      throw new UsageError(`${why}. Name another place, or see that it can be written to.`);
    });
  }
}
