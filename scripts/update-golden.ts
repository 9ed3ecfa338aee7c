/**
 * `npm run golden`: derives the golden observations again from the golden transcripts; look at the
 * difference before you commit it. With `-- --record` it first records the embedded servers anew.
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { checks } from "../probe/checks/index.ts";
import { complain } from "../probe/errors.ts";
import { observe } from "../probe/evaluate.ts";
import { facts } from "../probe/facts/index.ts";
import { prepareTrusted } from "../probe/sandbox/trusted.ts";
import { ServerJson } from "../probe/store/server-json.ts";
import { targetsOf } from "../probe/store/listings.ts";
import { sweep } from "../probe/sweep.ts";
import { startEmbedded } from "../probe/testing/embedded/start.ts";
import { Transcript } from "../probe/transcript/schema.ts";

const ROOT = resolve(import.meta.dirname, "..");
const GOLDEN = join(ROOT, "probe/testing/golden");
/** How recordings of remotes are named. */
const WIRES = { "streamable-http": "http", sse: "sse" } as const;

try {
  const { values } = parseArgs({ options: { record: { type: "boolean", default: false } } });
  await mkdir(GOLDEN, { recursive: true });
  if (values.record) await recordAll();
  for (const file of await readdir(GOLDEN)) {
    if (!file.endsWith(".transcript.json")) continue;
    const transcript = Transcript.parse(JSON.parse(await readFile(join(GOLDEN, file), "utf8")));
    const observation = observe([transcript], { checks, facts });
    const path = join(GOLDEN, file.replace(".transcript.", ".observation."));
    await writeFile(path, `${JSON.stringify(observation, null, 2)}\n`);
    console.log(file.replace(".transcript.json", ""));
  }
} catch (error) {
  process.exitCode = complain(error);
}

async function recordAll(): Promise<void> {
  const embedded = await startEmbedded();
  try {
    const plan = embedded.listings.flatMap((listing) =>
      targetsOf(ServerJson.parse(listing)).map((target) => ({ listing: listing.name, target })),
    );
    const prepare = (target: Parameters<typeof prepareTrusted>[0]) => prepareTrusted(target, ROOT);
    const options = { concurrency: 2, allowLoopback: true, repeat: "never", prepare } as const;
    for (const probed of await sweep(plan, options)) {
      if ("skipped" in probed) throw new Error(probed.skipped);
      const { listing, target } = probed.planned;
      const wire = target.kind === "remote" ? WIRES[target.transport] : "stdio";
      const name = `${listing.split("/")[1]!.replace(/^server-/, "")}-${wire}`;
      const json = z.encode(Transcript, probed.attempts[0]!);
      await writeFile(
        join(GOLDEN, `${name}.transcript.json`),
        `${JSON.stringify(json, null, 2)}\n`,
      );
    }
  } finally {
    await embedded.stop();
  }
}
