/**
 * `npm run bench:hostile -- [--targets N] [--kind NAME]`: the memory and the time that hostile servers
 * cost when all of them are probed at once.
 */
import { parseArgs } from "node:util";
import { complain, UsageError } from "../probe/errors.ts";
import { measure, type Name, NAMES } from "../probe/testing/hostile/measure.ts";

try {
  const { values } = parseArgs({
    options: { targets: { type: "string", default: "64" }, kind: { type: "string" } },
  });
  const targets = Number(values.targets);
  if (!Number.isInteger(targets) || targets < 1 || targets > 1000) {
    throw new UsageError(`--targets takes a number from 1 to 1000, not "${values.targets}".`);
  }
  const asked = NAMES.filter((name) => values.kind === undefined || name === values.kind);
  if (asked.length === 0) throw new UsageError(`No such kind. There are: ${NAMES.join("; ")}.`);
  const names = Array.from({ length: targets }, (_, at): Name => asked[at % asked.length]!);
  console.log(
    [
      `${targets} hostile servers of ${asked.length} kinds, those over HTTP on loopback ports of one other process,`,
      "probed by record() all at once in a process of its own, and judged one by one afterwards.",
      "",
    ].join("\n"),
  );
  const { outcomes, recorded, judged } = await measure(names);
  const figures = ({ seconds, megabytes }: typeof recorded) =>
    `${seconds.toFixed(1)} s, at most ${Math.round(megabytes)} MB`;
  console.log(`recorded after ${figures(recorded)}`);
  console.log(`judged after ${figures(judged)}`);
  const longest = Math.max(...asked.map((name) => name.length));
  for (const name of asked) {
    const seen = outcomes.filter((_, at) => names[at] === name);
    console.log(`  ${name.padEnd(longest)}  ${[...new Set(seen)].sort().join(" | ")}`);
  }
} catch (error) {
  process.exitCode = complain(error);
}
