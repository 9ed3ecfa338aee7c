/**
 * `npm run validate-data -- [--data DIR]`: every listing and every line of every run fits its schema,
 * and every run is as it was written: bodies, files and the chain have the digests of run.json.
 */
import { parseArgs } from "node:util";
import { complain } from "../probe/errors.ts";
import { readListings } from "../probe/store/listings.ts";
import { dataFolder } from "../probe/store/paths.ts";
import {
  readObservations,
  readRuns,
  readStored,
  readTombstones,
  type StoredRun,
} from "../probe/store/read.ts";
import { checkBodies, checkChain, checkCounts, checkFiles } from "../probe/store/sealed.ts";

async function count(items: AsyncIterable<unknown>): Promise<number> {
  let number = 0;
  for await (const _ of items) number += 1;
  return number;
}

try {
  const { values } = parseArgs({ options: { data: { type: "string", default: "data" } } });
  const data = dataFolder(values.data);
  const listings = await count(readListings(data));
  const tombstones = await readTombstones(data);
  const runs: StoredRun[] = [];
  let [lines, bytes] = [0, 0];
  for await (const run of readRuns(data)) {
    runs.push(run);
    const bodies = await checkBodies(run, tombstones);
    const observations = await count(readObservations(run));
    lines += bodies.count + observations + (await count(readStored(run)));
    bytes += await checkFiles(run, bodies.opened);
    checkCounts(run, { bodies: bodies.count, observations });
  }
  checkChain(runs);
  console.log(
    `${data}: ${listings} listings, ${runs.length} runs, their ${lines} lines and the digests of ${bytes} bytes are valid.`,
  );
} catch (error) {
  process.exitCode = complain(error);
}
