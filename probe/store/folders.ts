/** What is there: whether a path is, and what a folder holds, sorted and without hidden names. */
import type { Dirent } from "node:fs";
import { access, readdir } from "node:fs/promises";

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
