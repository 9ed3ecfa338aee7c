/**
 * Whether stored runs are as they were written: bodies, files and the chain have the digests that
 * were stored with them. Stops at the first difference with a `DataError` that names its place.
 */
import { basename, join } from "node:path";
import { DataError } from "../errors.ts";
import { bytesOfBody, refsOf } from "./codec.ts";
import { digestOf, sha256 } from "./encoding.ts";
import { filesIn } from "./folders.ts";
import { parseFileName, runFolder } from "./paths.ts";
import { readBodies, readStored, shardFile, type StoredRun } from "./read.ts";

/**
 * Every body is what its digest says, whether or not a transcript refers to it. Returns their count,
 * and the files out of which bodies were taken: those no longer have the digest of run.json.
 */
export async function checkBodies(run: StoredRun, tombstones: ReadonlySet<string>) {
  const opened = new Set<string>();
  let count = 0;
  for await (const { value, path, line } of readBodies(run)) {
    const [digest] = value;
    const bytes = bytesOfBody(value);
    const found = bytes && sha256(bytes);
    if (found === undefined && !tombstones.has(digest)) {
      throw new DataError(path, line, `body ${digest} was taken away, and no tombstone says why`);
    }
    if (found === undefined) opened.add(path);
    else if (found !== digest) {
      const whose = await targetsReferringTo(run, digest);
      throw new DataError(
        path,
        line,
        `body ${digest} was changed: its digest is ${found} (${whose})`,
      );
    }
    count += 1;
  }
  return { count, opened };
}

/** Who said what is in a body, for a message. */
async function targetsReferringTo(run: StoredRun, digest: string): Promise<string> {
  const targets = new Set<string>();
  for await (const { value } of readStored(run)) {
    if (refsOf(value).some((ref) => ref.sha256 === digest)) targets.add(value.target.key);
  }
  return targets.size > 0 ? `said to or by ${[...targets].join(", ")}` : "nothing refers to it";
}

/**
 * Sizes and digests of the files are those of run.json, but for `opened` ones, whose bodies were each
 * checked; and the folder holds nothing else. Returns the bytes, uncompressed.
 */
export async function checkFiles(run: StoredRun, opened: ReadonlySet<string>): Promise<number> {
  const folder = runFolder(run.dataDir, run.id);
  const left = new Set(await filesIn(folder));
  left.delete("run.json");
  let total = 0;
  for (const { name, bytes, sha256: expected } of run.record.files) {
    const { shard, content } = parseFileName(`${name}.jsonl`)!;
    const path = await shardFile(run, shard, content);
    left.delete(basename(path));
    const found = await digestOf(path);
    const same = found.sha256 === expected && found.bytes === bytes;
    if (!same && !opened.has(path)) {
      const says = `run.json says ${bytes} with ${expected}`;
      throw new DataError(
        path,
        undefined,
        `has ${found.bytes} bytes with ${found.sha256}; ${says}`,
      );
    }
    total += found.bytes;
  }
  const [stray] = left;
  if (stray !== undefined) {
    throw new DataError(join(folder, stray), undefined, "is a file that run.json does not name");
  }
  return total;
}

/** What run.json counts is what was found. */
export function checkCounts(run: StoredRun, found: { bodies: number; observations: number }): void {
  const { counts } = run.record;
  for (const name of ["bodies", "observations"] as const) {
    if (counts[name] === found[name]) continue;
    const path = join(runFolder(run.dataDir, run.id), "run.json");
    throw new DataError(
      path,
      undefined,
      `counts ${counts[name]} ${name}, but ${found[name]} are stored`,
    );
  }
}

/** Every run but the first names the run.json before it, and no two name the same. */
export function checkChain(runs: readonly StoredRun[]): void {
  const digests = new Set(runs.map(({ digest }) => digest));
  const named = new Map<string | null, string>();
  for (const { id, record } of runs) {
    const { previous } = record;
    if (previous !== null && !digests.has(previous)) {
      throw new DataError(
        `${id}/run.json`,
        undefined,
        `follows ${previous}, which no run.json has`,
      );
    }
    const other = named.get(previous);
    if (other !== undefined) {
      throw new DataError(`${id}/run.json`, undefined, `follows the same run as ${other}`);
    }
    named.set(previous, id);
  }
}
