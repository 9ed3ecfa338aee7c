/** npm packages: installing one at an exact version, and finding the program it brings. */
import { execFile } from "node:child_process";
import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { UsageError } from "../errors.ts";

const run = promisify(execFile);

const Manifest = z.object({
  version: z.string(),
  bin: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
});

/** The exact version that a version or tag means today. Throws a UsageError when there is none. */
export async function exactVersion(identifier: string, wanted: string): Promise<string> {
  if (/^\d+\.\d+\.\d+/.test(wanted)) return wanted;
  const { stdout } = await npm(["view", "--json", "--", `${identifier}@${wanted}`, "version"]);
  const found = z.union([z.string(), z.array(z.string())]).safeParse(parse(stdout));
  const version = found.success ? [found.data].flat().at(-1) : undefined;
  if (version === undefined) {
    throw new UsageError(
      `npm knows no version "${wanted}" of ${identifier}. Name one that exists.`,
    );
  }
  return version;
}

/**
 * Installs one version below `folder`, without running any script of the package or of what it
 * depends on. Throws a UsageError when npm cannot.
 */
export async function installNpm(
  folder: string,
  identifier: string,
  version: string,
): Promise<void> {
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  await npm(["install", "--prefix", folder, ...flags, "--", `${identifier}@${version}`]);
}

/** Runs npm. Throws a UsageError with npm's own word when it fails. */
async function npm(args: readonly string[]): Promise<{ stdout: string }> {
  try {
    return await run("npm", [...args], { timeout: 300_000 });
  } catch (error) {
    const { stderr = "" } = error as { stderr?: string };
    const words = [...stderr.matchAll(/^npm error (?!A complete log|code )(.+)$/gm)];
    const cause = words[0]?.[1] ?? (error as Error).message;
    throw new UsageError(
      `npm failed for ${args.at(-1) === "version" ? args.at(-2) : args.at(-1)}: ${cause} Check the name and version, and that npm can reach its registry.`,
      { cause: error },
    );
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The version installed below `folder`; undefined when the package is not there. */
export async function installedVersion(
  folder: string,
  identifier: string,
): Promise<string | undefined> {
  try {
    return (await manifestOf(folder, identifier)).version;
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return undefined;
    throw error;
  }
}

/** The script that the package's command runs, relative to `node_modules`. */
export async function programOf(folder: string, identifier: string): Promise<string> {
  const { bin } = await manifestOf(folder, identifier);
  const commands = typeof bin === "string" ? { [identifier]: bin } : (bin ?? {});
  const names = Object.keys(commands);
  const own = identifier.split("/").at(-1)!;
  // npx picks the only command, else the one named like the package.
  const chosen = names.length === 1 ? names[0] : names.find((name) => name === own);
  if (chosen === undefined) {
    const found = names.length === 0 ? "none" : names.join(", ");
    throw new UsageError(
      `${identifier} has no command that could be started (found: ${found}). Start it by hand: probity check -- COMMAND ARGS…`,
    );
  }
  return join(identifier, commands[chosen]!);
}

/** Where npm put the packages of `folder`. */
export function modulesOf(folder: string): Promise<string> {
  return realpath(join(folder, "node_modules"));
}

async function manifestOf(folder: string, identifier: string): Promise<z.infer<typeof Manifest>> {
  const path = join(folder, "node_modules", identifier, "package.json");
  return Manifest.parse(JSON.parse(await readFile(path, "utf8")));
}
