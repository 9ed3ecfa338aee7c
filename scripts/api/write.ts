/** Puts the files where the site reads them. */
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { exists } from "../../probe/store/folders.ts";
import type { ApiFile } from "./files.ts";

export interface Written {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Replaces the folder `out` by these files. They are written to a fresh folder beside it, which then
 * takes its place: a reader sees the old files or the new ones, and a failure leaves the old ones.
 */
export async function replaceFolder(out: string, files: AsyncIterable<ApiFile>): Promise<Written> {
  const target = resolve(out);
  await mkdir(dirname(target), { recursive: true });
  const beside = await mkdtemp(join(dirname(target), `.${basename(target)}-`));
  const [fresh, old] = [join(beside, "new"), join(beside, "old")];
  try {
    await mkdir(fresh);
    const written = await writeAll(fresh, files);
    if (await exists(target)) await rename(target, old);
    await rename(fresh, target);
    return written;
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}

async function writeAll(folder: string, files: AsyncIterable<ApiFile>): Promise<Written> {
  let [count, size] = [0, 0];
  for await (const { path, bytes } of files) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    // Two listings whose names a file system cannot tell apart must not share a page.
    await writeFile(file, bytes, { flag: "wx" });
    count += 1;
    size += bytes.length;
  }
  return { files: count, bytes: size };
}
