/** Programs that want our memory or our time, over stdio: command lines by name. */
import { execPath } from "node:process";

const script = (text: string) => [execPath, "-e", text] as const;

/** Writes a text for ever, as fast as it is taken. */
const flood = (text: string) =>
  script(`const piece = ${JSON.stringify(text)}.repeat(Math.ceil(65536 / ${text.length}));
    (function more() { while (process.stdout.write(piece)); process.stdout.once("drain", more); })();`);

export const PROGRAMS = {
  "yes without end": ["/usr/bin/env", "yes"],
  "a line of 40 MB": script(
    `process.stdout.write("a".repeat(40_000_000) + "\\n"); process.stdin.resume();`,
  ),
  "an endless line": flood("a"),
  "an endless array": flood("[{},"),
  "notifications without end": flood('{"jsonrpc":"2.0","method":"notifications/x"}\n'),
  "noise on standard error": script(
    `const piece = "e".repeat(65536);
    (function more() { while (process.stderr.write(piece)); process.stderr.once("drain", more); })();`,
  ),
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>;

export type ProgramName = keyof typeof PROGRAMS;
