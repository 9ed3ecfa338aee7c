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
  const misused = error instanceof UsageError || isBadArgument(error);
  if (!misused && !(error instanceof DataError)) throw error;
  process.stderr.write(`probity: ${error.message}\n`);
  return misused ? 2 : 1;
}

/** What `parseArgs` of node:util throws for an unknown or incomplete option. */
function isBadArgument(error: Error & { code?: unknown }): boolean {
  return String(error.code).startsWith("ERR_PARSE_ARGS");
}
