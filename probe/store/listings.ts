/** The servers that the directory knows: one `server.json` a listing, and the targets it names. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DataError } from "../errors.ts";
import type { Target } from "../transcript/schema.ts";
import { sha256 } from "./encoding.ts";
import { filesIn, foldersIn } from "./folders.ts";
import { readJson } from "./json.ts";
import { listingsFolder } from "./paths.ts";
import { type Input, type Package, type Remote, ServerJson } from "./server-json.ts";

/** Registries whose packages the probe knows how to start, now or soon. */
const REGISTRIES = ["npm", "pypi", "oci", "mcpb"] as const;

export interface ListingFile {
  /** `namespace/name` */
  readonly name: string;
  readonly path: string;
  readonly server: ServerJson;
}

/** Every listing of a data folder, by name. A broken or misplaced file is a `DataError`. */
export async function* readListings(dataDir: string): AsyncIterable<ListingFile> {
  const folder = listingsFolder(dataDir);
  const seen = new Map<string, string>();
  for (const namespace of await foldersIn(folder)) {
    for (const file of await filesIn(join(folder, namespace))) {
      if (!file.endsWith(".json")) continue;
      const path = join(folder, namespace, file);
      const name = `${namespace}/${file.slice(0, -".json".length)}`;
      const server = readJson(ServerJson, await readFile(path, "utf8"), { path });
      if (server.name !== name) {
        throw new DataError(
          path,
          undefined,
          `is named "${server.name}"; name and place must agree`,
        );
      }
      // Pages are files, and some file systems do not tell A from a.
      const folded = name.toLowerCase();
      const other = seen.get(folded);
      if (other !== undefined) {
        throw new DataError(path, undefined, `differs from ${other} in upper and lower case alone`);
      }
      seen.set(folded, path);
      yield { name, path, server };
    }
  }
}

/** SHA-256 over all listings: it names the list that a run went by. */
export async function listDigest(dataDir: string): Promise<string> {
  const lines: string[] = [];
  for await (const { name, server } of readListings(dataDir)) {
    lines.push(`${name} ${sha256(JSON.stringify(server))}\n`);
  }
  return sha256(lines.join(""));
}

/** The ways to reach a server, each once: remotes, then packages; the first is the primary target. */
export function targetsOf({ remotes = [], packages = [] }: ServerJson): readonly Target[] {
  const all = [
    ...remotes.map(remoteTarget),
    ...packages.flatMap((one) => packageTarget(one) ?? []),
  ];
  return all.filter(({ key }, index) => all.findIndex((other) => other.key === key) === index);
}

function remoteTarget({ type, url, headers = [], variables = {} }: Remote): Target {
  const filled = fill(url, variables);
  // Values that make no URL of it fill nothing.
  const { text, holes } = URL.canParse(filled.text) ? filled : fill(url, {});
  // We send no headers of a listing: a required one without a fixed value is a credential we lack.
  const required = headers.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const missing = [...new Set([...holes, ...required])];
  return { kind: "remote", key: url, url: text, transport: type, missing };
}

/** Undefined for a kind of package, or a way of talking to it, that the probe does not know. */
function packageTarget(found: Package): Target | undefined {
  const { transport } = found;
  const registry = REGISTRIES.find((known) => known === found.registryType);
  if (!registry || transport.type !== "stdio") return undefined;
  const { identifier, version } = versioned(found);
  const missing: string[] = [];
  const environment = new Map<string, string>();
  for (const variable of found.environmentVariables ?? []) {
    const value = valueOf(variable);
    if (value !== undefined) environment.set(variable.name, value);
    else if (variable.isRequired) missing.push(variable.name);
  }
  const args = (found.packageArguments ?? []).flatMap((argument) => {
    const value = valueOf(argument);
    if (argument.type === "positional") {
      if (value === undefined && argument.isRequired)
        missing.push(argument.valueHint ?? "argument");
      return value ?? [];
    }
    // A flag without a value is meant as it stands, unless it asks its user for one.
    if (value !== undefined) return [argument.name, value];
    if (!argument.isRequired) return [];
    missing.push(argument.name);
    return [];
  });
  return {
    kind: "package",
    key: `${registry}:${identifier}`,
    registry,
    identifier,
    version,
    arguments: args,
    environment: Object.fromEntries(environment),
    missing,
  };
}

/** Identifier and version apart; an image carries its version as a tag or digest. */
function versioned(found: Package): { identifier: string; version: string } {
  const { registryType, identifier, version } = found;
  const image = /^(?<name>.+?)(?:(?::(?<tag>[^:/@]+))?(?:@(?<digest>sha256:[0-9a-f]+))?)$/;
  const parts = registryType === "oci" ? image.exec(identifier)?.groups : undefined;
  return {
    identifier: parts?.["name"] ?? identifier,
    version: version ?? parts?.["tag"] ?? parts?.["digest"] ?? "unknown",
  };
}

/** A value that stands without anybody's help; one that still has a hole does not. */
function valueOf(input: Input | undefined): string | undefined {
  const value = input?.value ?? input?.default;
  if (value === undefined) return undefined;
  const { text, holes } = fill(value, input?.variables ?? {});
  return holes.length > 0 ? undefined : text;
}

/** Fills the `{holes}` of a text; `holes` are those that nothing fills. */
function fill(text: string, variables: Readonly<Record<string, Input>>) {
  const holes: string[] = [];
  const filled = text.replaceAll(/\{([^{}]+)\}/g, (hole, name: string) => {
    const value = valueOf(Object.hasOwn(variables, name) ? variables[name] : undefined);
    if (value === undefined) holes.push(name);
    return value ?? hole;
  });
  return { text: filled, holes };
}
