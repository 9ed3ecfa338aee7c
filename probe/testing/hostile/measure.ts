/** Starts hostile servers in one process, probes all of them at once from another, and measures it. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { KINDS, type KindName } from "./kinds.ts";
import type { Probed, Where } from "./probed.ts";
import { PROGRAMS, type ProgramName } from "./programs.ts";

export type Name = KindName | ProgramName;

export const NAMES = [...Object.keys(KINDS), ...Object.keys(PROGRAMS)] as readonly Name[];

const isProgram = (name: Name): name is ProgramName => Object.hasOwn(PROGRAMS, name);

/** One server for each name, all at once; outcomes stand in the order of the names. */
export async function measure(names: readonly Name[], execArgv?: string[]): Promise<Probed> {
  const kinds = names.filter((name) => !isProgram(name));
  const servers = fork(join(import.meta.dirname, "servers.ts"));
  servers.send(kinds);
  try {
    const [ports] = (await once(servers, "message")) as [number[]];
    const where = names.map((name): Where => (isProgram(name) ? PROGRAMS[name] : ports.shift()!));
    const options = execArgv ? { execArgv: [...process.execArgv, ...execArgv] } : {};
    const probing = fork(join(import.meta.dirname, "probed.ts"), options);
    probing.send(where);
    const [message, end] = [once(probing, "message"), once(probing, "exit")];
    const [first] = (await Promise.race([message, end])) as [unknown];
    if (typeof first !== "object" || first === null) {
      throw new Error(`The process that probes ended with ${String(first)}.`);
    }
    await end;
    return first as Probed;
  } finally {
    servers.disconnect();
  }
}
