/** The two errors that are not bugs. Anything else that is thrown crashes with its stack. */

/** Something the operator can put right: the command line prints the message alone and exits with 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Stored data contradicts itself or its schema. The message names the place and what was found. */
export class DataError extends Error {
  override readonly name = "DataError";
  readonly path: string;
  /** Counts from 1; undefined when the file as a whole is meant. */
  readonly line: number | undefined;

  constructor(path: string, line: number | undefined, problem: string) {
    super(`${path}${line === undefined ? "" : `:${line}`}: ${problem}`);
    this.path = path;
    this.line = line;
  }
}

/** Writes the message of an expected error to standard error; returns the exit code. Rethrows a bug. */
export function complain(error: unknown): 1 | 2 {
  if (!(error instanceof Error)) throw error;
  const misuse = error instanceof UsageError ? error.message : misuseIn(error);
  if (misuse === undefined && !(error instanceof DataError)) throw error;
  process.stderr.write(`probity: ${misuse ?? error.message}\n`);
  return misuse === undefined ? 1 : 2;
}

/** What the system may say of a place that its operator named, in words. */
const PLACES: Readonly<Record<string, string>> = {
  EACCES: "is out of reach: permission denied",
  EBUSY: "is in use by the system",
  EISDIR: "is a folder, where a file belongs",
  ELOOP: "is a link that leads back to itself",
  ENAMETOOLONG: "is a name that is too long",
  ENOENT: "is not there, or cannot be made there",
  ENOSPC: "cannot be written: no space is left",
  ENOTDIR: "leads through a file, where a folder belongs",
  EPERM: "is out of reach: not permitted",
  EROFS: "is on a disk that cannot be written to",
};

/** What the operator can put right, as `parseArgs` of node:util or the file system says it. */
function misuseIn(error: Error & NodeJS.ErrnoException): string | undefined {
  if (String(error.code).startsWith("ERR_PARSE_ARGS")) return error.message;
  const { code = "", path, syscall = "" } = error;
  const what = Object.hasOwn(PLACES, code) ? PLACES[code] : undefined;
  // A program that cannot be started has a path too; who started it knows what that means.
  if (what === undefined || path === undefined || syscall.startsWith("spawn")) return undefined;
  return `${path} ${what} (${code}). Correct it, or name another place.`;
}
