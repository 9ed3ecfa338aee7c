/**
 * `npm run replay -- [--data DIR] [--api DIR]`: derives every observation, and with `--api` every
 * verdict, badge and page of a published API, again from the stored bytes, and compares byte for byte.
 */
import { readdir } from "node:fs/promises";
import { parseArgs } from "node:util";
import { checks } from "../probe/checks/index.ts";
import { complain } from "../probe/errors.ts";
import { facts } from "../probe/facts/index.ts";
import { dataFolder } from "../probe/store/paths.ts";
import { replay } from "../probe/store/replay.ts";
import { apiOf } from "./api/build.ts";
import { compareFolder } from "./api/compare.ts";

try {
  const { values } = parseArgs({
    options: {
      data: { type: "string", default: "data" },
      api: { type: "string" },
      // Comparing is all that a replay does; scripts may say so.
      check: { type: "boolean" },
    },
  });
  const data = dataFolder(values.data);
  // Before the long part: a folder that is not there is a slip of the pen.
  if (values.api !== undefined) await readdir(values.api);
  const done = await replay(data, { checks, facts });
  const { runs, observations, bodies, bytes, withheld } = done;
  console.log(
    runs === 0
      ? `${data} holds no run, so there is nothing to derive.`
      : `${data}: derived ${observations} observations of ${runs} runs again from ${bodies} bodies (${bytes} bytes stored); all equal.`,
  );
  if (withheld > 0) console.log(`${withheld} observations rest on withheld bodies: not derived.`);
  if (values.api !== undefined) {
    const files = await compareFolder(values.api, apiOf(data));
    console.log(`${values.api}: derived ${files} files again; all equal.`);
  }
} catch (error) {
  process.exitCode = complain(error);
}
