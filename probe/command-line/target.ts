/** What a person types to name a server, and the target it means. */
import { UsageError } from "../errors.ts";
import { exactVersion } from "../sandbox/npm.ts";
import type { Target } from "../transcript/schema.ts";

const FORMS = `Name a server as
  https://host/path            a remote server
  npm:package@version ARGS…    an npm package that speaks over stdio
  -- COMMAND ARGS…             any command that speaks over stdio`;

export interface Named {
  /** A URL, or a package and arguments for it. */
  readonly words: readonly string[];
  /** What stood behind `--`: a command, or further arguments for a package. */
  readonly theirs: readonly string[];
}

/** The target that was named. Throws a UsageError with the forms that are understood. */
export async function parseTarget({ words, theirs }: Named): Promise<Target> {
  const [first, ...rest] = words;
  if (first?.startsWith("npm:")) return npmTarget(first, [...rest, ...theirs]);
  if (first !== undefined) return remoteTarget(first, [...rest, ...theirs]);
  const [program, ...args] = theirs;
  if (program === undefined) throw new UsageError(`No server was named. ${FORMS}`);
  return commandTarget([program, ...args]);
}

function remoteTarget(text: string, rest: readonly string[]): Target {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme !== "http" && scheme !== "https") {
    const what = scheme === undefined ? `"${text}" is no URL.` : `Unknown scheme "${scheme}:".`;
    throw new UsageError(`${what} ${FORMS}`);
  }
  if (!URL.canParse(text)) {
    throw new UsageError(`"${text}" is not a valid URL. Write it as https://host/path.`);
  }
  if (rest.length > 0) {
    throw new UsageError(`A URL takes no arguments, but "${rest.join(" ")}" came behind it.`);
  }
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") {
    throw new UsageError("The probe never sends credentials; take them out of the URL.");
  }
  url.hash = "";
  return {
    kind: "remote",
    key: url.href,
    url: url.href,
    transport: "streamable-http",
    missing: [],
  };
}

const NPM =
  /^npm:(?<name>(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*)(?:@(?<version>[\w.+-]+))?$/i;

async function npmTarget(text: string, args: readonly string[]): Promise<Target> {
  const groups = NPM.exec(text)?.groups;
  if (!groups) {
    throw new UsageError(`"${text}" names no npm package. Write it as npm:name@version.`);
  }
  const identifier = groups["name"]!;
  return {
    kind: "package",
    key: `npm:${identifier}`,
    registry: "npm",
    identifier,
    version: await exactVersion(identifier, groups["version"] ?? "latest"),
    arguments: [...args],
    environment: {},
    missing: [],
  };
}

function commandTarget(argv: [string, ...string[]]): Target {
  return { kind: "command", key: argv.join(" "), argv, environment: {}, missing: [] };
}
