/** The published methodologies, found by reading this folder: one folder a version. */
import { readdir } from "node:fs/promises";
import type { Methodology } from "./methodology.ts";
import type { VerdictAssessment } from "./verdict/assessment.ts";

/** The version of each family that badges, pages and listings show. */
const CURRENT = { verdict: "verdict/1.1.0" } as const;

const VERSION = /^\d+\.\d+\.\d+$/;

/**
 * Every `family/version` below a folder, by id.
 * Throws when there is none, or when one is not what its path says.
 */
export async function discover(folder: URL): Promise<readonly Methodology<unknown>[]> {
  const found: Methodology<unknown>[] = [];
  for (const family of await subfolders(folder)) {
    for (const version of await subfolders(new URL(`${family}/`, folder))) {
      if (!VERSION.test(version)) continue;
      found.push(
        await load(new URL(`${family}/${version}/index.ts`, folder), `${family}/${version}`),
      );
    }
  }
  if (found.length === 0) throw new Error(`${folder.pathname} holds no methodology.`);
  return found.toSorted((a, b) => a.id.localeCompare(b.id, "en", { numeric: true }));
}

async function load(file: URL, id: string): Promise<Methodology<unknown>> {
  const module = (await import(file.href)) as { default?: Methodology<unknown> };
  if (!module.default) throw new Error(`methodology/${id}/index.ts has no default export.`);
  if (module.default.id !== id) {
    throw new Error(`methodology/${id}/index.ts calls itself "${module.default.id}".`);
  }
  return module.default;
}

async function subfolders(folder: URL): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** All versions of all families, by id. */
export const methodologies = await discover(new URL("./", import.meta.url));

/** Ids of the current versions, one of each family. */
export const current: ReadonlySet<string> = new Set(Object.values(CURRENT));

/** Every published verdict, the current one first. */
export const verdicts = currentFirst(CURRENT.verdict);

/** The verdict that badges, pages and listings show. */
export const [currentVerdict] = verdicts;

type Verdicts = readonly [
  Methodology<VerdictAssessment>,
  ...(readonly Methodology<VerdictAssessment>[]),
];

function currentFirst(id: string): Verdicts {
  // The folder's name says what its assessments are; discovery cannot prove it.
  const published = methodologies.filter((methodology) =>
    methodology.id.startsWith("verdict/"),
  ) as readonly Methodology<VerdictAssessment>[];
  const first = published.find((methodology) => methodology.id === id);
  if (!first) throw new Error(`methodology/${id} is named as current and does not exist.`);
  return [first, ...published.filter((methodology) => methodology !== first)];
}
