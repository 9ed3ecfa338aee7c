/** `npm run validate-data -- [--data DIR]`: every listing and every line of every run fits its schema. */
import { parseArgs } from "node:util";
import { complain } from "../probe/errors.ts";
import { readListings } from "../probe/store/listings.ts";
import { dataFolder } from "../probe/store/paths.ts";
import { readBodies, readObservations, readRuns, readStored } from "../probe/store/read.ts";

async function count(items: AsyncIterable<unknown>): Promise<number> {
  let number = 0;
  for await (const _ of items) number += 1;
  return number;
}

try {
  const { values } = parseArgs({ options: { data: { type: "string", default: "data" } } });
  const data = dataFolder(values.data);
  const listings = await count(readListings(data));
  let [runs, lines] = [0, 0];
  for await (const run of readRuns(data)) {
    runs += 1;
    for (const read of [readStored, readBodies, readObservations]) lines += await count(read(run));
  }
  console.log(`${data}: ${listings} listings, ${runs} runs and their ${lines} lines are valid.`);
} catch (error) {
  process.exitCode = complain(error);
}
