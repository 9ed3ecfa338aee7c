/** Runs the official conformance suite's client scenarios with the probe as the client. */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import pLimit from "p-limit";

const ROOT = resolve(import.meta.dirname, "../../..");
const SUITE = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"));
/** Relative and without spaces, since the suite cuts its command there and gives it to a shell. */
const CLIENT = "node probe/testing/conformance/client.ts";
/** Two processes each; more would only wait for each other. */
const AT_ONCE = 2;
/** The newest version of each era; older ones only where a scenario knows neither. */
const VERSIONS = ["2025-11-25", "2026-07-28"];
/** How long the suite waits for the probe, in milliseconds: its machine may be busy. */
const PATIENCE = 60_000;

export interface Run {
  readonly scenario: string;
  /** Undefined for an extension, which belongs to no version. */
  readonly version: string | undefined;
}

export interface Result extends Run {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  /** What the suite and the probe printed. */
  readonly output: string;
}

/** Every client scenario of the suite, at every version that it is to be run at. */
export async function clientRuns(): Promise<readonly Run[]> {
  const { output } = await suite(["list", "--client"]);
  const lines = [...output.matchAll(/^ +- (?<scenario>\S+) \[(?<versions>[^\]]+)\]$/gm)];
  return lines.flatMap(({ groups }) => {
    const { scenario, versions } = groups as { scenario: string; versions: string };
    const all = versions === "extension" ? [undefined] : versions.split(",");
    const chosen = all.filter((version) => version && VERSIONS.includes(version));
    return (chosen.length > 0 ? chosen : all.slice(-1)).map((version) => ({ scenario, version }));
  });
}

/** Runs scenarios, a few at a time. Rejects when the suite itself does not do its work. */
export async function runAll(runs: readonly Run[]): Promise<readonly Result[]> {
  const folder = await mkdtemp(join(tmpdir(), "probity-conformance-"));
  const limit = pLimit(AT_ONCE);
  try {
    return await Promise.all(
      runs.map((run, index) => limit(() => runOne(run, join(folder, `${index}`), folder))),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runOne(run: Run, folder: string, cache: string): Promise<Result> {
  const { scenario, version } = run;
  const args = ["client", "--command", CLIENT, "--scenario", scenario, "-o", folder];
  args.push("--timeout", String(PATIENCE));
  if (version !== undefined) args.push("--spec-version", version);
  const { output } = await suite(args, join(cache, "compiled"));
  const files = await readdir(folder, { recursive: true }).catch(() => []);
  const file = files.find((name) => name.endsWith("checks.json"));
  if (file === undefined) throw new Error(`The suite left no result of ${scenario}:\n${output}`);
  const checks = JSON.parse(await readFile(join(folder, file), "utf8")) as Check[];
  const ids = (...statuses: string[]) => [
    ...new Set(checks.filter(({ status }) => statuses.includes(status)).map(({ id }) => id)),
  ];
  const failed = ids("FAILURE", "WARNING");
  return { ...run, passed: ids("SUCCESS").filter((id) => !failed.includes(id)), failed, output };
}

interface Check {
  readonly id: string;
  readonly status: string;
}

/** Runs the suite's own command line; whether it calls the result a failure is told by its checks. */
function suite(args: readonly string[], cache?: string): Promise<{ output: string }> {
  const env = {
    // The suite starts `node` by name, and it must be the one that runs this.
    PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter),
    ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }),
  };
  return new Promise((settle) => {
    execFile(process.execPath, [SUITE, ...args], { cwd: ROOT, env }, (_, out, err) =>
      settle({ output: out + err }),
    );
  });
}
