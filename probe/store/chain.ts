/**
 * The chain of runs: each run.json names the digest of the one that was sealed before it, so that no
 * past run can change or vanish unseen.
 *
 * The chain follows the order of sealing. Ids follow the order of starting, and a short run may be
 * sealed while a long one still goes on.
 */
import { DataError, UsageError } from "../errors.ts";
import { openRun, type StoredRun } from "./run.ts";

/** How many newer runs may be sealed while one goes on. */
const OVERTAKEN_AT_MOST = 100;

/**
 * The digest that a new run names as `previous`: of the run that no other names. `ids` are all runs,
 * oldest first; only the newest are read. `UsageError` when too many newer ones were sealed.
 */
export async function previousOf(
  dataDir: string,
  ids: readonly string[],
  id: string,
): Promise<string | null> {
  if (ids.filter((other) => other > id).length >= OVERTAKEN_AT_MOST) {
    throw new UsageError(`Run ${id} comes too late: ${OVERTAKEN_AT_MOST} newer ones are sealed.`);
  }
  if (ids.length === 0) return null;
  const digests = new Set<string>();
  const named = new Set<string | null>();
  for (const [index, newest] of ids.toReversed().entries()) {
    const run = await openRun(dataDir, newest);
    digests.add(run.digest);
    named.add(run.record.previous);
    if (index + 1 < OVERTAKEN_AT_MOST) continue;
    // Further back only while a run's successor may have an older id than all that were read.
    if (digests.difference(named).size === 1) break;
  }
  const [last, another] = digests.difference(named);
  if (last !== undefined && another === undefined) return last;
  throw new DataError(dataDir, undefined, "the chain of runs has not exactly one end");
}

/** `DataError` unless the runs form one chain with one beginning. */
export function verifyChain(
  links: readonly { readonly path: string; readonly digest: string; previous: string | null }[],
): void {
  const digests = new Set(links.map(({ digest }) => digest));
  const named = new Set<string | null>();
  for (const { path, previous } of links) {
    if (previous !== null && !digests.has(previous)) {
      throw new DataError(path, undefined, `previous is ${previous}, and no stored run has it`);
    }
    if (named.has(previous)) {
      const which = previous === null ? "the first run" : `the run after ${previous}`;
      throw new DataError(path, undefined, `is ${which}, and so is another`);
    }
    named.add(previous);
  }
}

/** What the chain needs to know of a run. */
export function linkOf({ path, digest, record }: StoredRun) {
  return { path, digest, previous: record.previous };
}
