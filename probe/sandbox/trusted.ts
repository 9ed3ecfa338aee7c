/**
 * Starting a server without a sandbox: on this machine, with the rights of who runs the probe. Only
 * for programs that their user trusts. Its environment is empty all the same, but for PATH, a HOME
 * in a temporary folder and what the listing sets.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, systemClock } from "../clock.ts";
import { UsageError } from "../errors.ts";
import type { Installed, Target } from "../transcript/schema.ts";
import type { Launch } from "../transport/stdio.ts";
import { UNKNOWN_VERSION } from "../store/listings.ts";
import { installedVersion, installNpm, modulesOf, programOf } from "./npm.ts";

export interface Prepared {
  /** How it starts; undefined when its package could not be installed. */
  readonly launch: Launch | undefined;
  /** What installing the package met, where it was not there already. */
  readonly installed?: Installed | undefined;
  /** Removes the temporary home. */
  cleanup(): Promise<void>;
}

/**
 * Makes a package or command ready to start; a command starts where its user stands, so that relative
 * paths mean what they say. `packages` is a folder whose `node_modules` may hold
 * the package already at its exact version; without it the package is installed for this time only.
 * Throws a UsageError for what this probe cannot start at all, whatever its registry says.
 */
export async function prepareTrusted(
  target: Exclude<Target, { kind: "remote" }>,
  packages?: string,
  clock: Clock = systemClock,
): Promise<Prepared> {
  const home = await mkdtemp(join(tmpdir(), "probity-"));
  const cleanup = () => rm(home, { recursive: true, force: true });
  try {
    const command =
      target.kind === "command"
        ? { argv: target.argv as [string, ...string[]], shown: target.argv, installed: undefined }
        : await packageCommand(target, home, packages, clock);
    if (!("argv" in command)) return { launch: undefined, ...command, cleanup };
    const { argv, shown, installed } = command;
    const environment = {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      ...target.environment,
    };
    const cwd = target.kind === "command" ? process.cwd() : home;
    const launch = { argv, shown, cwd, environment };
    return { launch, installed, cleanup };
  } catch (error) {
    await cleanup();
    throw error;
  }
}

interface Command {
  readonly argv: Launch["argv"];
  readonly shown: readonly string[];
  readonly installed: Installed | undefined;
}

async function packageCommand(
  target: Extract<Target, { kind: "package" }>,
  home: string,
  packages: string | undefined,
  clock: Clock,
): Promise<Command | { readonly installed: Installed }> {
  const { registry, identifier, version } = target;
  if (registry !== "npm") {
    throw new UsageError(
      `${target.key} is a ${registry} package; only npm packages can be started.`,
    );
  }
  if (version === UNKNOWN_VERSION) {
    throw new UsageError(`The listing of ${target.key} names no version, so none is installed.`);
  }
  const here = packages !== undefined && (await installedVersion(packages, identifier)) === version;
  const folder = here ? packages : join(home, ".install");
  const installed = here ? undefined : await installNpm(folder, identifier, version, clock);
  if (installed?.fault) return { installed };
  const program = await programOf(folder, identifier);
  return {
    argv: [process.execPath, join(await modulesOf(folder), program), ...target.arguments],
    shown: ["node", program, ...target.arguments],
    installed,
  };
}
