/** Compares a published folder with what it must hold, byte for byte. */
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { DataError } from "../../probe/errors.ts";
import type { ApiFile } from "./files.ts";

/** Characters shown around the first difference. */
const CONTEXT = 60;

/** Returns how many files are equal. `DataError` at the first that differs, is missing or is extra. */
export async function compareFolder(
  folder: string,
  expected: AsyncIterable<ApiFile>,
): Promise<number> {
  const left = new Set(await filesIn(folder));
  let count = 0;
  for await (const { path, bytes } of expected) {
    const file = join(folder, path);
    if (!left.delete(path)) throw new DataError(file, undefined, "is missing");
    const found = await readFile(file);
    if (Buffer.compare(found, bytes) !== 0) {
      throw new DataError(file, undefined, difference(found, Buffer.from(bytes)));
    }
    count += 1;
  }
  const [extra] = left;
  if (extra !== undefined) {
    throw new DataError(join(folder, extra), undefined, "is not what the data give");
  }
  return count;
}

function difference(found: Buffer, expected: Buffer): string {
  let at = 0;
  while (at < found.length && found[at] === expected[at]) at += 1;
  const around = (bytes: Buffer) =>
    JSON.stringify(bytes.subarray(Math.max(0, at - CONTEXT), at + CONTEXT).toString());
  return `differs at byte ${at}\n  stored   ${around(found)}\n  derived  ${around(expected)}`;
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"));
}
