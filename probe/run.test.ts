/** A run end to end: what fails is tried again, our own side is looked at, and all of it replays. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { checks } from "./checks/index.ts";
import { facts } from "./facts/index.ts";
import { run, type RunOptions } from "./run.ts";
import { prepareTrusted } from "./sandbox/trusted.ts";
import { openedBefore } from "./store/before.ts";
import { compress, linesOf } from "./store/encoding.ts";
import { replay } from "./store/replay.ts";
import { readControls, readRun } from "./store/read.ts";
import { ManualClock } from "./testing/manual-clock.ts";
import { serveMcp } from "./testing/servers/mcp.ts";
import type { Planned } from "./sweep.ts";
import { remoteTarget } from "./testing/transcripts.ts";
import type { Target } from "./transcript/schema.ts";

const judges = { checks, facts };

async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "probity-run-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function probe(
  dataDir: string,
  urls: readonly string[],
  { plan: more = [], ...options }: Partial<RunOptions> & { plan?: readonly Planned[] } = {},
) {
  const clock = new ManualClock();
  const remotes = urls.map((url, index) => ({
    listing: `a.fixture/${index}`,
    target: remoteTarget(url),
  }));
  const ran = await run([...remotes, ...more], {
    dataDir,
    kind: "full",
    name: "test",
    region: "test",
    clock,
    concurrency: 2,
    allowLoopback: true,
    prepare: (target) => prepareTrusted(target),
    onWait: (_, due) => void setImmediate().then(() => clock.advanceTo(due)),
    ...options,
  });
  return { ...ran, clock };
}

async function serve(broken: boolean) {
  const server = await serveMcp(() => (broken ? { status: 502 } : undefined));
  onTestFinished(() => server.stop());
  return server.url;
}

test("a dead server is stored with three attempts and the controls around them, and replays", async () => {
  const data = await dataFolder();
  const { id, observations } = await probe(data, [await serve(true)]);
  expect(observations[0]!.attempts).toMatchObject(
    [1, 2, 3].map((attempt) => ({ attempt, control: "passed" })),
  );
  const controls = (await readControls(await readRun(data, id))).get(1)!;
  expect(controls.map(({ capability }) => capability)).toEqual(Array(3).fill("loopback"));
  expect(await replay(data, judges)).toMatchObject({ runs: 1, observations: 1 });
});

test("a package that its registry does not know is stored as what it met, and replays", async () => {
  const data = await dataFolder();
  const as = { registry: "npm", identifier: "nothing", version: "1.0.0" } as const;
  const target: Target = {
    ...{ kind: "package", key: "npm:nothing", ...as },
    ...{ arguments: [], environment: {}, missing: [] },
  };
  const { id, observations, skips } = await probe(data, [], {
    plan: [{ listing: "a.fixture/0", target }],
    askRegistry: async () => undefined,
    prepare: async () => ({
      launch: undefined,
      installed: { ...as, took: 7, step: "look-up", fault: { code: "E404", message: "" } },
      cleanup: async () => {},
    }),
  });
  expect(skips).toEqual([]);
  const stoppedBy = { check: "L0.reachable", outcome: "failed", reason: "package-not-found" };
  expect(observations[0]!.attempts).toMatchObject(
    [1, 2, 3].map((attempt) => ({ attempt, stoppedBy, control: "passed" })),
  );
  const controls = (await readControls(await readRun(data, id))).get(1)!;
  expect(controls.map(({ capability }) => capability)).toEqual(Array(3).fill("registry"));
  expect(await replay(data, judges)).toMatchObject({ runs: 1, observations: 1 });
});

test("nothing is measured of our own side where nothing fails", async () => {
  const data = await dataFolder();
  const { id, observations } = await probe(data, [await serve(false)]);
  expect(observations[0]!.attempts).toMatchObject([{ control: "not-measured" }]);
  expect((await readControls(await readRun(data, id))).get(1)).toEqual([]);
  expect(await openedBefore(data)).toEqual(new Set([observations[0]!.target]));
});

test("names that do not resolve are our fault where no name does, and that replays too", async () => {
  const data = await dataFolder();
  const { observations } = await probe(data, ["https://a.example/mcp"], {
    endpoints: ["b.example", "c.example"].map((host) => ({ capability: "dns", host, port: null })),
    resolve: () => Promise.reject(Object.assign(new Error("again"), { code: "EAI_AGAIN" })),
  });
  expect(observations[0]!.checks[0]).toMatchObject({
    check: "L0.reachable",
    outcome: "cantTell",
    reason: "control-failed",
  });
  expect(await openedBefore(data)).toEqual(new Set());
  expect(await replay(data, judges)).toMatchObject({ observations: 1 });
});

test("a control that is changed in the headers no longer gives what is stored", async () => {
  const data = await dataFolder();
  const { id } = await probe(data, [await serve(true)]);
  const change = async (content: string, edit: (text: string) => string) => {
    const path = join(data, "runs", id, `01.${content}.jsonl.zst`);
    const lines: string[] = [];
    for await (const { text } of linesOf(path)) lines.push(text);
    const text = `${[edit(lines[0]!), ...lines.slice(1)].join("\n")}\n`;
    await writeFile(path, compress(Buffer.from(text), ".jsonl.zst"));
  };
  const worse = (text: string) => text.replaceAll('"needed":1', '"needed":3');
  await change("observations", worse);
  await expect(replay(data, judges)).rejects.toThrow("differs from the header");
  await change("transcripts", worse);
  await change("bodies", worse);
  await expect(replay(data, judges)).rejects.toThrow(/L0\.initialize differs/);
});
