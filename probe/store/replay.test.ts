import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { observe } from "../evaluate.ts";
import { appendRun } from "./append.ts";
import { compress, linesOf } from "./encoding.ts";
import type { Extension } from "./paths.ts";
import { replay } from "./replay.ts";
import { dataFolder, judges, newRun, transcripts } from "./testing/runs.ts";

const RUN = "runs/2026/11/30/0600Z-full-test";

async function oneRun(extension: Extension = ".jsonl"): Promise<string> {
  const data = await dataFolder();
  await appendRun(data, newRun(6), extension);
  return data;
}

/** Changes the text of a stored file. */
async function change(path: string, edit: (text: string) => string): Promise<void> {
  const lines: string[] = [];
  for await (const { text } of linesOf(path)) lines.push(text);
  const text = edit(lines.join("\n") + "\n");
  const extension = /\.jsonl.*$/.exec(path)![0] as Extension;
  await writeFile(path, compress(Buffer.from(text), extension));
}

test("well kept data replays, and says how much it was", async () => {
  const data = await oneRun();
  await appendRun(data, newRun(12));
  expect(await replay(data, judges)).toMatchObject({ runs: 2, observations: 4, withheld: 0 });
});

test("each shard is sorted by itself, so the next may begin before the one before ended", async () => {
  const data = await dataFolder();
  const run = newRun(6);
  const shards = [...transcripts]
    .sort((a, b) => (a.target.key < b.target.key ? 1 : -1))
    .map((each) => ({ transcripts: [each], observations: [observe([each], judges)], control: [] }));
  await appendRun(data, { ...run, shards }, ".jsonl");
  expect(await replay(data, judges)).toMatchObject({ runs: 1, observations: 2 });
});

test("no data at all replays too", async () => {
  expect(await replay(await dataFolder(), judges)).toMatchObject({ runs: 0 });
});

describe("a check or a fact that was added since", () => {
  const later = {
    checks: [{ ...judges.checks[0]!, id: "L0.also" as const }, ...judges.checks],
    facts: [{ ...judges.facts[0]!, id: "also" }, ...judges.facts],
  };

  test("changes nothing for the runs before it", async () => {
    const data = await oneRun();
    expect(await replay(data, later)).toMatchObject({ runs: 1, observations: 2 });
  });

  test("is derived again for the runs that name it", async () => {
    const data = await oneRun();
    const run = newRun(12);
    await appendRun(data, {
      ...run,
      judges: { checks: ["L0.also", "L0.answers"], facts: ["also", "size"] },
      shards: run.shards.map((shard) => ({
        ...shard,
        observations: shard.transcripts.map((each) => observe([each], later)),
      })),
    });
    expect(await replay(data, later)).toMatchObject({ runs: 2, observations: 4 });
    await expect(replay(data, judges)).rejects.toThrow(
      /1200Z-full-test\/run\.json: names L0\.also, which is neither a check nor a fact here/,
    );
  });

  test("cannot be used to leave out what a check said", async () => {
    const data = await oneRun();
    await change(join(data, RUN, "01.observations.jsonl"), (text) =>
      text.replace(/"checks":\[\{.*?\}\]/, '"checks":[]'),
    );
    await expect(replay(data, judges)).rejects.toThrow(/:2: .*L0\.answers is not stored/);
  });
});

describe("a changed body is found, with file and line", () => {
  test.each([".jsonl", ".jsonl.zst", ".jsonl.gz"] as const)("in %s", async (extension) => {
    const data = await oneRun(extension);
    const path = join(data, RUN, `01.bodies${extension}`);
    await change(path, (text) => text.replace("get_word", "get_wOrd"));
    await expect(replay(data, judges)).rejects.toThrow(
      /01\.bodies\.jsonl[a-z.]*:\d+: body [0-9a-f]{64} was changed: .* \(said to or by .+\)/,
    );
  });

  test("also when a byte of the compressed file itself flipped", async () => {
    const data = await oneRun(".jsonl.zst");
    const path = join(data, RUN, "01.bodies.jsonl.zst");
    const bytes = await readFile(path);
    bytes[Math.floor(bytes.length / 2)]! ^= 1;
    await writeFile(path, bytes);
    await expect(replay(data, judges)).rejects.toThrow(/01\.bodies\.jsonl\.zst/);
  });
});

describe("a changed observation is found, with file, line and", () => {
  const observations = join(RUN, "01.observations.jsonl");

  test("the check whose outcome was changed", async () => {
    const data = await oneRun();
    await change(join(data, observations), (text) => text.replace('"passed"', '"failed"'));
    await expect(replay(data, judges)).rejects.toThrow(
      /01\.observations\.jsonl:2: .*L0\.answers differs\n {2}stored {3}.*failed.*\n {2}derived {2}.*passed/,
    );
  });

  test("the fact whose value was changed", async () => {
    const data = await oneRun();
    await change(join(data, observations), (text) => text.replace(/"size":\d+/, '"size":1'));
    await expect(replay(data, judges)).rejects.toThrow(/:2: .*fact size differs/);
  });

  test("what is missing when a line was removed", async () => {
    const data = await oneRun();
    await change(join(data, observations), (text) => text.replace(/\n[^\n]*\n$/, "\n"));
    await expect(replay(data, judges)).rejects.toThrow(/has 1 lines behind its header, not 2/);
  });

  test("what was swapped", async () => {
    const data = await oneRun();
    await change(join(data, observations), (text) => {
      const [header, first, second] = text.split("\n");
      return [header, second, first, ""].join("\n");
    });
    await expect(replay(data, judges)).rejects.toThrow(/:2: /);
  });

  test("what differs only in its form, since every byte counts", async () => {
    const data = await oneRun();
    await change(join(data, observations), (text) => text.replace('"listing":', '"listing": '));
    await expect(replay(data, judges)).rejects.toThrow(/01\.observations\.jsonl/);
  });
});

describe("a broken chain is found when", () => {
  test("a run was removed from the middle", async () => {
    const data = await oneRun();
    await appendRun(data, newRun(12));
    await appendRun(data, newRun(18));
    await rm(join(data, "runs/2026/11/30/1200Z-full-test"), { recursive: true });
    await expect(replay(data, judges)).rejects.toThrow("which no run.json has");
  });

  test("run.json was changed", async () => {
    const data = await oneRun();
    await appendRun(data, newRun(12));
    const path = join(data, RUN, "run.json");
    await writeFile(
      path,
      (await readFile(path, "utf8")).replace('"region": "test"', '"region": "x"'),
    );
    await expect(replay(data, judges)).rejects.toThrow("which no run.json has");
  });

  test("a file is not the one that run.json names", async () => {
    const data = await oneRun();
    const path = join(data, RUN, "run.json");
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replace(/"sha256": "[0-9a-f]{8}/, '"sha256": "00000000'));
    await expect(replay(data, judges)).rejects.toThrow(/run\.json says/);
  });
});

describe("a body that a tombstone names", () => {
  const bodies = join(RUN, "01.bodies.jsonl");

  async function withTombstone(): Promise<{ data: string; digest: string }> {
    const data = await oneRun();
    const lines = (await readFile(join(data, bodies), "utf8")).split("\n");
    const line = lines.find((text) => text.includes("get_word"))!;
    const [digest] = JSON.parse(line) as [string];
    await mkdir(join(data, "tombstones"));
    const tombstone = { sha256: digest, on: "2026-12-01", because: "It held a secret." };
    await writeFile(join(data, `tombstones/${digest}.json`), JSON.stringify(tombstone));
    return { data, digest };
  }

  const takeAway = (data: string, digest: string) =>
    change(join(data, bodies), (text) =>
      text.replace(new RegExp(`\\["${digest}",.*\\]`), `["${digest}",null]`),
    );

  test("is withheld from then on, and said to be", async () => {
    const { data } = await withTombstone();
    expect(await replay(data, judges)).toMatchObject({ observations: 2, withheld: 1 });
  });

  test("may be taken away, and all else is still checked", async () => {
    const { data, digest } = await withTombstone();
    await takeAway(data, digest);
    expect(await replay(data, judges)).toMatchObject({ observations: 2, withheld: 1 });
    await change(join(data, bodies), (text) =>
      text.replace("Method not found", "Method was found"),
    );
    await expect(replay(data, judges)).rejects.toThrow(/body [0-9a-f]{64} was changed/);
  });

  test("may not be taken away without one", async () => {
    const { data, digest } = await withTombstone();
    await takeAway(data, digest);
    await rm(join(data, "tombstones"), { recursive: true });
    await expect(replay(data, judges)).rejects.toThrow("no tombstone says why");
  });
});

describe("what does not belong in a run is found:", () => {
  test("a stray file", async () => {
    const data = await oneRun();
    await writeFile(join(data, RUN, "notes.txt"), "");
    await expect(replay(data, judges)).rejects.toThrow("a file that run.json does not name");
  });

  test("the same file in a second encoding", async () => {
    const data = await oneRun();
    const text = await readFile(join(data, RUN, "01.bodies.jsonl"));
    await writeFile(join(data, RUN, "01.bodies.jsonl.gz"), compress(text, ".jsonl.gz"));
    await expect(replay(data, judges)).rejects.toThrow("01.bodies.jsonl.gz");
  });

  test("a count that is not the count", async () => {
    const data = await oneRun();
    const path = join(data, RUN, "run.json");
    await writeFile(path, (await readFile(path, "utf8")).replace(/"bodies": \d+/, '"bodies": 1'));
    await expect(replay(data, judges)).rejects.toThrow("counts 1 bodies");
  });
});
