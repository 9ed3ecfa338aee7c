/** Puts the files where the site reads them. */
import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { z } from "zod";
import { UsageError } from "../../probe/errors.ts";
import { makeFolder } from "../../probe/store/folders.ts";
import type { ApiFile } from "./files.ts";

export interface Written {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Replaces the folder `out` by these files. They are written to a fresh folder beside it, which then
 * takes its place: a reader sees the old files or the new ones, and a failure leaves the old ones.
 * `UsageError` when something else is there than a published API: nobody's files are replaced.
 */
export async function replaceFolder(out: string, files: AsyncIterable<ApiFile>): Promise<Written> {
  const target = await replaceable(out);
  await makeFolder(dirname(target));
  const beside = await mkdtemp(join(dirname(target), `.${basename(target)}-`));
  const [fresh, old] = [join(beside, "new"), join(beside, "old")];
  try {
    await mkdir(fresh);
    const written = await writeAll(fresh, files);
    // Asked once more: the files took a while, and somebody may have put something there.
    if ((await whatIs(await replaceable(out))) !== "absent") await rename(target, old);
    await rename(fresh, target);
    return written;
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}

/** The path behind all links, if what is there may go: nothing, an empty folder, a published API. */
async function replaceable(out: string): Promise<string> {
  const target = (await ifThere(realpath(out))) ?? resolve(out);
  if ((await whatIs(target)) !== "something else") return target;
  throw new UsageError(
    `${out} is not a published API, and whatever is there would be lost. Name an empty or a new folder with --out, or take away what is there yourself.`,
  );
}

async function whatIs(path: string): Promise<"absent" | "empty" | "an API" | "something else"> {
  const found = await ifThere(lstat(path));
  if (!found) return "absent";
  if (!found.isDirectory()) return "something else";
  const names = await readdir(path);
  if (names.length === 0) return "empty";
  const hidden = names.some((name) => name.startsWith("."));
  const ours =
    (await fits(join(path, "servers.json"), MARKS.servers)) &&
    (await fits(join(path, "stats.json"), MARKS.stats));
  return ours && !hidden ? "an API" : "something else";
}

async function ifThere<T>(looking: Promise<T>): Promise<T | undefined> {
  return looking.catch((error: Error & { code?: string }) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
}

/** What every version of the API has in common, so that an older one can be replaced too. */
const MARKS = {
  servers: z.object({ asOf: z.string().nullable(), servers: z.array(z.object({})) }),
  stats: z.object({ asOf: z.string().nullable(), listings: z.int(), runs: z.int() }),
} as const;

async function fits(path: string, schema: z.ZodType): Promise<boolean> {
  try {
    return schema.safeParse(JSON.parse(await readFile(path, "utf8"))).success;
  } catch {
    return false;
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
