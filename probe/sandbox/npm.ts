/** npm packages: installing one at an exact version, and finding the program it brings. */
import { execFile } from "node:child_process";
import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { type Clock, systemClock } from "../clock.ts";
import { UsageError } from "../errors.ts";
import { limit } from "../rules.ts";
import type { Installed } from "../transcript/schema.ts";
import { type Fault, faultOf } from "../transport/fault.ts";

const run = promisify(execFile);

/** What a package says of itself, whatever that is; what is malformed counts as not said. */
const Manifest = z
  .object({
    version: z.string().optional().catch(undefined),
    bin: z
      .union([z.string(), z.record(z.string(), z.string())])
      .optional()
      .catch(undefined),
  })
  .catch({});

/** How npm says with `--json` why it failed; the code is missing for what it did not expect. */
const Failure = z.object({
  error: z.object({ code: z.string().nullish(), summary: z.string() }),
});

/** Names and versions of a registry; npm would fetch a URL, a folder or an archive from elsewhere. */
const NAME = /^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*$/i;
const VERSION = /^(?!.*\.(?:tgz|tar|tar\.gz)$)[\w^~<>=*][\w.+^~<>=*| -]*$/i;

/** Most bytes that npm may print: `--json` lists everything it installed. */
const OUTPUT = 64 * 1024 * 1024;

/** The exact version that a version or tag means today. Throws a UsageError when there is none. */
export async function exactVersion(identifier: string, wanted: string): Promise<string> {
  if (/^\d+\.\d+\.\d+/.test(wanted)) return wanted;
  const spec = `${identifier}@${wanted}`;
  const { stdout, fault } = await npm(["view", "--", spec, "version"], systemClock, "install");
  if (fault) throw notInstalled(spec, fault);
  const found = z.union([z.string(), z.array(z.string())]).safeParse(parse(stdout));
  const version = found.success ? [found.data].flat().at(-1) : undefined;
  if (version === undefined) {
    throw new UsageError(
      `npm knows no version "${wanted}" of ${identifier}. Name one that exists.`,
    );
  }
  return version;
}

/** What to tell somebody who named a package that npm does not get. */
export function notInstalled(spec: string, fault: Fault | undefined): UsageError {
  const words = fault ? `: ${fault.message} (${fault.code})` : "";
  return new UsageError(
    `npm failed for ${spec}${words}. Check the name and version, and that npm can reach its registry.`,
  );
}

/**
 * Installs one version below `folder`, without running any script of the package or of what it
 * depends on. It is looked up first: a package that is not there is another matter than one that
 * needs what is not there.
 */
export async function installNpm(
  folder: string,
  identifier: string,
  version: string,
  clock: Clock,
): Promise<Installed> {
  const began = clock.now();
  const spec = `${identifier}@${version}`;
  const ended = (step: Installed["step"], fault?: Fault): Installed => ({
    ...{ registry: "npm", identifier, version, took: clock.now() - began, step },
    ...(fault && { fault }),
  });
  if (!NAME.test(identifier) || !VERSION.test(version)) {
    const message = "the registry can have no package of this name or version";
    return ended("look-up", { code: "EINVALIDPACKAGENAME", message });
  }
  const view = await npm(["view", "--", spec, "version"], clock, "install");
  if (view.fault) return ended("look-up", view.fault);
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund"];
  const args = ["install", "--prefix", folder, ...flags, "--", spec];
  return ended("install", (await npm(args, clock, "install")).fault);
}

/**
 * Asks the registry for a package as it is now, past all that is stored in `cache`; undefined when
 * it answers.
 */
export async function askRegistry(
  identifier: string,
  cache: string,
  clock: Clock,
): Promise<Fault | undefined> {
  const flags = ["--cache", cache, "--fetch-retries", "0"];
  const args = ["view", ...flags, "--", identifier, "name"];
  return (await npm(args, clock, "control-registry")).fault;
}

interface Answer {
  readonly stdout: string;
  /** npm's own word when it failed. */
  readonly fault?: Fault;
}

/** Runs npm, for as long as a limit of that name allows. */
async function npm(
  args: readonly string[],
  clock: Clock,
  within: "install" | "control-registry",
): Promise<Answer> {
  const late = new AbortController();
  const ms = limit(within);
  const cancel = clock.after(ms, () => late.abort());
  try {
    const options = { signal: late.signal, maxBuffer: OUTPUT };
    return await run("npm", ["--json", "--loglevel=error", ...args], options);
  } catch (error) {
    const { stdout = "" } = error as { stdout?: string };
    if (late.signal.aborted) {
      return { stdout, fault: { code: "ETIMEDOUT", message: `npm was not done after ${ms} ms` } };
    }
    const said = Failure.safeParse(parse(stdout));
    if (!said.success) return { stdout, fault: faultOf(error) };
    const { code, summary } = said.data.error;
    return { stdout, fault: { code: code ?? "UNKNOWN", message: summary.replace(/\.$/, "") } };
  } finally {
    cancel();
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
  return Manifest.parse(parse(await readFile(path, "utf8")));
}
