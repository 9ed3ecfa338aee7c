/**
 * Starting a server without a sandbox: on this machine, with the rights of who runs the probe. Only
 * for programs that their user trusts. Its environment is empty all the same, but for PATH, a HOME
 * in a temporary folder and what the listing sets.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UsageError } from "../errors.ts";
import type { Target } from "../transcript/schema.ts";
import type { Launch } from "../transport/stdio.ts";
import { installedVersion, installNpm, modulesOf, programOf } from "./npm.ts";

export interface Prepared {
  readonly launch: Launch;
  /** Removes the temporary home. */
  cleanup(): Promise<void>;
}

/**
 * Makes a package or command ready to start; a command starts where its user stands, so that relative
 * paths mean what they say. `packages` is a folder whose `node_modules` may hold
 * the package already at its exact version; without it the package is installed for this time only.
 */
export async function prepareTrusted(
  target: Exclude<Target, { kind: "remote" }>,
  packages?: string,
): Promise<Prepared> {
  const home = await mkdtemp(join(tmpdir(), "probity-"));
  const cleanup = () => rm(home, { recursive: true, force: true });
  try {
    const { argv, shown } =
      target.kind === "command"
        ? { argv: target.argv, shown: target.argv }
        : await packageCommand(target, home, packages);
    const environment = {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      ...target.environment,
    };
    const cwd = target.kind === "command" ? process.cwd() : home;
    const launch = { argv: argv as [string, ...string[]], shown, cwd, environment };
    return { launch, cleanup };
  } catch (error) {
    await cleanup();
    throw error;
  }
}

async function packageCommand(
  target: Extract<Target, { kind: "package" }>,
  home: string,
  packages: string | undefined,
): Promise<{ argv: string[]; shown: string[] }> {
  const { registry, identifier, version } = target;
  if (registry !== "npm") {
    throw new UsageError(
      `${target.key} is a ${registry} package; only npm packages can be started.`,
    );
  }
  const here = packages !== undefined && (await installedVersion(packages, identifier)) === version;
  const folder = here ? packages : join(home, ".install");
  if (!here) await installNpm(folder, identifier, version);
  const program = await programOf(folder, identifier);
  return {
    argv: [process.execPath, join(await modulesOf(folder), program), ...target.arguments],
    shown: ["node", program, ...target.arguments],
  };
}
