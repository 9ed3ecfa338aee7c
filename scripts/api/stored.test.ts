import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hours } from "../../methodology/testing/observations.ts";
import { appendRun } from "../../probe/store/append.ts";
import { textOf } from "../../probe/transcript/body.ts";
import { apiFiles } from "./files.ts";
import type { Data, Run } from "./input.ts";
import { storedData } from "./stored.ts";
import { collect, data, judges, listing, REMOTE, run } from "./testing/data.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "stored-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("a data folder gives the same files as the data that went into it", async () => {
  const server = {
    name: "example.fixture/server",
    title: "Fixture",
    description: "A small server.",
    version: "1.0.0",
    remotes: [{ type: "streamable-http", url: REMOTE.key }],
  };
  await mkdir(join(folder, "listings/example.fixture"), { recursive: true });
  await writeFile(
    join(folder, "listings", `${server.name}.json`),
    `${JSON.stringify(server, undefined, 2)}\n`,
  );
  const runs = [run({ at: hours(0) }), run({ at: hours(24), latency: 60 })];
  for (const each of runs) await append(each);

  const stored = await publish(storedData(folder));
  const given = await publish(data([listing()], runs));
  // Only what the store alone knows may differ: digests, sizes, the chain.
  for (const files of [stored, given]) files.delete("runs.json");
  expect(stored).toEqual(given);
});

test("an empty data folder gives an empty directory", async () => {
  const files = await publish(storedData(folder));
  expect(JSON.parse(files.get("servers.json")!)).toEqual({ asOf: null, servers: [] });
});

async function publish(from: Data): Promise<Map<string, string>> {
  const files = await collect(apiFiles({ data: from, judges, label: "Probity" }));
  return new Map(files.map(({ path, bytes }) => [path, textOf(bytes)]));
}

async function append({ about, observations, transcripts }: Run): Promise<void> {
  const recorded = await collect(transcripts(new Set([REMOTE.key])));
  const { kind, startedAt, endedAt, region } = about;
  await appendRun(folder, {
    ...{ kind, startedAt, endedAt, region },
    name: "a",
    probe: { name: "probity", version: "0.1.0", commit: null },
    rules: "0".repeat(64),
    list: "0".repeat(64),
    judges: { checks: [], facts: [] },
    plan: [REMOTE.key],
    skips: [],
    shards: [
      {
        observations: await collect(observations()),
        transcripts: recorded.flatMap(({ transcript }) => transcript ?? []),
        control: [],
      },
    ],
  });
}
