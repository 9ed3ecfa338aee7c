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
