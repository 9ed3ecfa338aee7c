/**
 * Reads the published API, the only data that pages are made of.
 *
 * The files are trusted to have their published shape, because `publish` validates what it writes;
 * the words in them are not trusted and reach pages through Astro's escaping alone. Free of Astro,
 * so that it runs in a test.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type {
  CheckIndex,
  MethodologyIndex,
  RunIndex,
  ServerIndex,
  ServerPage,
  Stats,
} from "../../../scripts/api/schema.ts";

/** As in the MCP registry; it keeps a name from being a path to anywhere else. */
const LISTING = /^(?!\.+\/)[A-Za-z0-9.-]+\/(?!\.+$)[A-Za-z0-9._-]+$/;

export interface Api {
  servers(): ServerIndex;
  /** Throws for a name that is not `namespace/name`. */
  server(name: string): ServerPage;
  checks(): CheckIndex["checks"];
  methodologies(): MethodologyIndex["methodologies"];
  runs(): RunIndex["runs"];
  stats(): Stats;
}

/** Opens the API files below `directory`; throws when there are none. */
export function openApi(directory: string): Api {
  const read = <T>(path: string): T => {
    const file = join(directory, path);
    if (!existsSync(file)) {
      throw new Error(
        existsSync(join(directory, "servers.json"))
          ? `${file} is missing: run \`npm run publish\` again.`
          : `No API files in ${directory}: run \`npm run publish\` first, or \`npm start\`.`,
      );
    }
    return JSON.parse(readFileSync(file, "utf8")) as T;
  };
  return {
    servers() {
      const index = read<ServerIndex>("servers.json");
      index.servers.forEach((row) => requireListing(row.name));
      return index;
    },
    server: (name) => read<ServerPage>(`servers/${requireListing(name)}.json`),
    checks: () => read<CheckIndex>("checks.json").checks,
    methodologies: () => read<MethodologyIndex>("methodologies.json").methodologies,
    runs: () => read<RunIndex>("runs.json").runs,
    stats: () => read<Stats>("stats.json"),
  };
}

function requireListing(name: string): string {
  if (LISTING.test(name)) return name;
  throw new Error(`${JSON.stringify(name)} is not the name of a listing: expected namespace/name.`);
}

/** The API of this checkout. Builds run from the root of the repository, as npm scripts do. */
export const api: Api = openApi(resolve("site/public/api/v1"));
