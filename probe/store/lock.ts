/**
 * One writer at a time: a lock is a file that names the process which holds it. One whose process has
 * ended is taken over, so that a killed writer blocks nobody.
 */
import { readFile, rm, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { UsageError } from "../errors.ts";
import { makeFolder } from "./folders.ts";

export interface Lock {
  readonly path: string;
  /** Milliseconds to wait for another holder. */
  readonly patience: number;
  /** Begins the message when it is held: "Somebody adds a run to data". */
  readonly held: string;
}

/** How often a lock that somebody holds is looked at again, in milliseconds. */
const LOOK_AGAIN = 50;

/** Locks that this process has or tries to take. */
const ours = new Set<string>();

/** Resolves when the lock is ours, with the way to give it back. `UsageError` when patience ends. */
export async function takeLock({ path, patience, held }: Lock): Promise<() => Promise<void>> {
  const lock = resolve(path);
  await makeFolder(dirname(lock));
  const deadline = performance.now() + patience;
  for (;;) {
    const holder = ours.has(lock) ? process.pid : await attempt(lock);
    if (holder === undefined) break;
    if (performance.now() >= deadline) {
      const who = typeof holder === "number" ? `process ${holder}` : "an unknown process";
      throw new UsageError(
        `${held} already (${who}). Let it end first; if there is no such command, remove ${path}.`,
      );
    }
    await wait(LOOK_AGAIN);
  }
  return async () => {
    ours.delete(lock);
    await rm(lock, { force: true });
  };
}

type Holder = number | "nobody" | "unknown";

/** Undefined when the lock is ours now, else who holds it. */
async function attempt(lock: string): Promise<Holder | undefined> {
  ours.add(lock);
  try {
    const holder = await take(lock);
    if (holder !== undefined) ours.delete(lock);
    return holder;
  } catch (error) {
    ours.delete(lock);
    throw error;
  }
}

async function take(lock: string): Promise<Holder | undefined> {
  while (!(await create(lock))) {
    const holder = await holderOf(lock);
    const gone = holder === undefined || (holder === "nobody" && (await clear(lock)));
    if (!gone) return holder;
  }
  return undefined;
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === "EPERM";
  }
}

/** Whether the file could be made; false when it is there. */
async function create(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, `${process.pid}\n`, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === "EEXIST") return false;
    throw error;
  }
}

/** Undefined when there is no lock any more; `nobody` when its process has ended. */
async function holderOf(lock: string): Promise<Holder | undefined> {
  let text: string;
  try {
    text = await readFile(lock, "utf8");
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return undefined;
    throw error;
  }
  // Its writer may not have come further than to make the file.
  if (!/^\d+\n$/.test(text)) return "unknown";
  const pid = Number(text);
  // Whoever asks does not have it: a file with our number was left by an earlier process of that number.
  return pid !== process.pid && isRunning(pid) ? pid : "nobody";
}

/**
 * Removes a lock that nobody holds. Of all that see it only one may, or it could remove the lock that
 * another has just taken. False when another does.
 */
async function clear(lock: string): Promise<boolean> {
  const clearing = `${lock}-clearing`;
  if (!(await create(clearing))) return false;
  try {
    if ((await holderOf(lock)) === "nobody") await rm(lock, { force: true });
    return true;
  } finally {
    await rm(clearing, { force: true });
  }
}
