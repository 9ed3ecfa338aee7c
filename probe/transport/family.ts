/**
 * All that a process started: its group, and whoever left the group. A group is signalled as one; a
 * descendant in a session of its own is found by its parents, while they live to be asked.
 */
import { readdirSync, readFileSync } from "node:fs";

/** A process, and when it started: a number alone may be given to another one later. */
interface Member {
  readonly pid: number;
  readonly started: string;
}

interface Process extends Member {
  readonly parent: number;
  readonly group: number;
}

/** Those of its descendants that are outside the group of `leader`; none where there is no /proc. */
export function strayed(leader: number): readonly Member[] {
  const all = running();
  const family = new Set([leader]);
  // Parents may stand behind their children in the list.
  for (let before = 0; before < family.size;) {
    before = family.size;
    for (const { pid, parent, group } of all) {
      if (family.has(parent) || group === leader) family.add(pid);
    }
  }
  return all.filter(({ pid, group }) => family.has(pid) && group !== leader && pid !== leader);
}

/** Ends those that are still the same processes. */
export function end(members: readonly Member[]): void {
  for (const { pid, started } of members) {
    if (processOf(pid)?.started === started) signal(pid, "SIGKILL");
  }
}

/** Signals a process, or with a negative number its group; it may be gone already. */
export function signal(pid: number, name: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ESRCH") throw error;
  }
}

function running(): readonly Process[] {
  try {
    return readdirSync("/proc").flatMap((name) =>
      /^\d+$/.test(name) ? (processOf(Number(name)) ?? []) : [],
    );
  } catch {
    return [];
  }
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function processOf(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name of the program stands in brackets and may hold anything, brackets too.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { pid, parent: Number(fields[1]), group: Number(fields[2]), started: fields[19]! };
  } catch {
    return undefined;
  }
}
