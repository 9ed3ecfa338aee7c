/** Tries the package registry on packages that are known to be there, by the package manager itself. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "../clock.ts";
import { controlPackages } from "../rules.ts";
import { askRegistry as askNpm } from "../sandbox/npm.ts";
import type { Fault } from "../transport/fault.ts";
import type { Trial } from "./measure.ts";

/** Asks the registry for one package; undefined when it answers. `cache` is an empty folder. */
export type AskRegistry = (
  identifier: string,
  cache: string,
  clock: Clock,
) => Promise<Fault | undefined>;

/** Which registry that is, the package manager's own settings say: they also say where it installs from. */
export async function tryRegistry(
  clock: Clock,
  ask: AskRegistry = askNpm,
): Promise<readonly Trial[]> {
  // npm falls back on what it once heard when nobody answers; here that would be a false comfort.
  const cache = await mkdtemp(join(tmpdir(), "probity-registry-"));
  try {
    return await Promise.all(
      controlPackages.map(async (identifier) => {
        const fault = await ask(identifier, cache, clock);
        return { endpoint: `npm:${identifier}`, ...(fault && { fault }) };
      }),
    );
  } finally {
    await rm(cache, { recursive: true, force: true });
  }
}
