import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { hours, NOT_ASKED } from "../../methodology/testing/observations.ts";
import { DataError } from "../../probe/errors.ts";
import { textOf } from "../../probe/transcript/body.ts";
import { Transcript } from "../../probe/transcript/schema.ts";
import { apiFiles } from "./files.ts";
import type { Data } from "./input.ts";
import * as schema from "./schema.ts";
import { collect, data, judges, listing, PACKAGE, REMOTE, run } from "./testing/data.ts";

async function publish(from: Data): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for await (const { path, bytes } of apiFiles({ data: from, judges, label: "Probity" })) {
    expect(files.has(path), path).toBe(false);
    files.set(path, textOf(bytes));
  }
  return files;
}

const parse = <T>(type: z.ZodType<T>, files: ReadonlyMap<string, string>, path: string): T =>
  type.parse(JSON.parse(files.get(path)!));

const NAME = "example.fixture/server";
const PAGE = `servers/${NAME}.json`;

const STOPPED = { stop: ["failed", "timeout"] } as const;
const DEAD = { attempts: [STOPPED, STOPPED, STOPPED] };

const WORLD = data(
  [listing(), listing({ name: "example.fixture/new", targets: [PACKAGE] })],
  [
    run({ at: hours(0), latency: 80 }),
    run({ at: hours(24), latency: 60, checks: { "L1.tools_list": ["failed", "no-array"] } }),
    run({ at: hours(30), kind: "liveness", latency: 70, checks: NOT_ASKED }),
  ],
);

describe("the files of a directory", () => {
  test("are these", async () => {
    expect([...(await publish(WORLD)).keys()].toSorted()).toEqual([
      "badges/example.fixture/new.json",
      "badges/example.fixture/new.svg",
      "badges/example.fixture/server.json",
      "badges/example.fixture/server.svg",
      "checks.json",
      "methodologies.json",
      "raw/example.fixture/server/0.jsonl",
      "runs.json",
      "servers.json",
      "servers/example.fixture/new.json",
      "servers/example.fixture/server.json",
      "stats.json",
    ]);
  });

  test("have the published shape", async () => {
    const files = await publish(WORLD);
    const shapes: Readonly<Record<string, z.ZodType>> = {
      "servers.json": schema.ServerIndex,
      "checks.json": schema.CheckIndex,
      "methodologies.json": schema.MethodologyIndex,
      "runs.json": schema.RunIndex,
      "stats.json": schema.Stats,
      servers: schema.ServerPage,
      badges: schema.BadgeEndpoint,
    };
    const documents = [...files.keys()].filter((path) => path.endsWith(".json"));
    for (const path of documents) parse(shapes[path.split("/")[0]!]!, files, path);
    expect(documents).toHaveLength(9);
  });

  test("are the same bytes every time, whatever order the data is read in", async () => {
    const [listings, runs] = [await collect(WORLD.listings()), await collect(WORLD.runs())];
    const turned = data(listings.toReversed(), runs.toReversed());
    const sorted = (files: ReadonlyMap<string, string>) =>
      Object.fromEntries([...files.keys()].toSorted().map((path) => [path, files.get(path)]));
    const first = sorted(await publish(WORLD));
    expect(sorted(await publish(WORLD))).toEqual(first);
    expect(sorted(await publish(turned))).toEqual(first);
  });

  test("agree on the verdict: page, index, badge and counts", async () => {
    const files = await publish(WORLD);
    const { verdict, targets } = parse(schema.ServerPage, files, PAGE);
    expect(verdict).toMatchObject({ verdict: "degraded", freshness: "fresh" });
    expect(targets[0]!.verdicts[0]).toEqual(verdict);
    const { servers } = parse(schema.ServerIndex, files, "servers.json");
    expect(servers.find(({ name }) => name === NAME)!.verdict).toEqual(verdict);
    expect(files.get(`badges/${NAME}.svg`)).toContain("probity: degraded · 2026-12-01");
    expect(parse(schema.BadgeEndpoint, files, `badges/${NAME}.json`).message).toBe(
      "degraded · 2026-12-01",
    );
    expect(parse(schema.Stats, files, "stats.json")).toEqual({
      asOf: "2026-12-01T18:00:01.000Z",
      listings: 2,
      verdicts: { alive: 0, degraded: 1, dead: 0, unverifiable: 0, none: 1 },
      runs: 3,
    });
  });

  test("refuse a listing whose name would leave its folder", async () => {
    for (const name of ["../escape", "example/..", "a/b/c", "a/b\0", "a"]) {
      await expect(publish(data([listing({ name })], []))).rejects.toThrow(DataError);
    }
  });
});

describe("a listing without any run", () => {
  test.each([
    ["in a new directory", data([listing()], [])],
    ["beside others", data([listing()], [run({ listing: "example.fixture/other" })])],
  ])("has a page, a badge and a row %s", async (_, world) => {
    const files = await publish(world);
    expect(parse(schema.ServerPage, files, PAGE)).toMatchObject({
      verdict: { verdict: null, from: null },
      targets: [{ observation: null, history: [], raw: null }],
    });
    expect(files.get(`badges/${NAME}.svg`)).toContain("no result yet");
    expect(parse(schema.ServerIndex, files, "servers.json").servers).toMatchObject([
      { name: NAME, latency: null, uptime30d: null },
    ]);
    expect(files.has(`raw/${NAME}/0.jsonl`)).toBe(false);
  });

  test("has them without any target too", async () => {
    const files = await publish(data([listing({ targets: [] })], []));
    expect(parse(schema.ServerPage, files, PAGE)).toMatchObject({
      verdict: { verdict: null },
      targets: [],
    });
    expect(files.get(`badges/${NAME}.svg`)).toContain("no result yet");
  });
});

describe("a server's page", () => {
  const page = async (world: Data) => parse(schema.ServerPage, await publish(world), PAGE);

  test("shows the observation that gave the verdict, not a later look at the opening", async () => {
    const [target] = (await page(WORLD)).targets;
    expect(target!.observation).toMatchObject({ run: "2026/12/01/1200Z-full-a", kind: "full" });
    expect(target!.history.map(({ run: id, verdict }) => [id, verdict])).toEqual([
      ["2026/12/01/1800Z-liveness-a", null],
      ["2026/12/01/1200Z-full-a", "degraded"],
      ["2026/11/30/1200Z-full-a", "alive"],
    ]);
  });

  test("shows the newest observation while none gave a verdict", async () => {
    const [target] = (await page(data([listing()], [run({ kind: "liveness", checks: NOT_ASKED })])))
      .targets;
    expect(target).toMatchObject({
      observation: { kind: "liveness" },
      verdicts: [{ verdict: null }, { verdict: null }],
    });
  });

  test("shows each check with its title and the events it points to", async () => {
    const [target] = (await page(WORLD)).targets;
    expect(target!.observation!.checks.find(({ check }) => check === "L1.tools_list")).toEqual({
      check: "L1.tools_list",
      title: "Title of L1.tools_list",
      subject: null,
      outcome: "failed",
      reason: "no-array",
      because: "For the test.",
      evidence: [
        expect.objectContaining({
          event: 3,
          type: "sent",
          summary: "POST https://mcp.example/mcp",
          text: expect.stringContaining('"method":"initialize"'),
        }),
      ],
    });
    expect(target!.observation!.facts).toEqual([
      {
        fact: "server_info",
        title: "Server",
        value: { name: "fixture", version: "1.0.0" },
        shown: "fixture 1.0.0",
      },
    ]);
  });

  test("reads evidence in the transcript of the attempt that was judged", async () => {
    const world = data([listing()], [run({ attempts: [STOPPED, {}] })]);
    expect((await page(world)).targets[0]!.observation).toMatchObject({ judged: 2 });
  });

  test("has metrics over 30 days", async () => {
    expect((await page(WORLD)).targets[0]!.metrics).toEqual({
      uptime: {
        "24h": { share: 10_000, n: 2 },
        "7d": { share: 10_000, n: 3 },
        "30d": { share: 10_000, n: 3 },
      },
      latency: { opening: { p50: 70, p95: 80, n: 3 } },
    });
  });

  test("keeps the last known result of a server not seen for long", async () => {
    const other = listing({ name: "example.fixture/other" });
    const world = data(
      [listing(), other],
      [run({ at: hours(0) }), run({ at: hours(24 * 60), listing: other.name })],
    );
    const files = await publish(world);
    expect(parse(schema.ServerPage, files, PAGE)).toMatchObject({
      verdict: { verdict: "alive", freshness: "hidden" },
      targets: [{ observation: { kind: "full" }, history: [], raw: null }],
    });
    expect(files.get(`badges/${NAME}.svg`)).toContain("unknown · last seen 2026-11-30");
    expect(parse(schema.Stats, files, "stats.json").verdicts).toMatchObject({ alive: 1, none: 1 });
  });

  test("keeps a version that only an old run could name", async () => {
    const dead = { ...DEAD, says: null };
    const world = data(
      [listing()],
      [
        run({ at: hours(0), says: "2.0.0" }),
        run({ at: hours(24), ...dead }),
        run({ at: hours(24 * 60), ...dead }),
      ],
    );
    expect((await page(world)).verdict).toMatchObject({
      verdict: "dead",
      from: { version: "2.0.0" },
    });
  });

  test.each([
    ["a remote", REMOTE, "streamable-http", "https://mcp.example/mcp"],
    ["an npm package", PACKAGE, "stdio", "fixture@1.0.0"],
    ["a PyPI package", { ...PACKAGE, registry: "pypi" as const }, "stdio", "fixture==1.0.0"],
    [
      "a bundle",
      { ...PACKAGE, registry: "mcpb" as const, identifier: "https://example.org/a.mcpb" },
      "stdio",
      "https://example.org/a.mcpb",
    ],
    [
      "an image by its version",
      { ...PACKAGE, registry: "oci" as const, identifier: "localhost:5000/fixture" },
      "stdio",
      "localhost:5000/fixture:1.0.0",
    ],
    [
      "an image with a tag of its own",
      { ...PACKAGE, registry: "oci" as const, identifier: "ghcr.io/example/fixture:1.0.0" },
      "stdio",
      "ghcr.io/example/fixture:1.0.0",
    ],
  ])("gives the address of %s", async (_, target, transport, address) => {
    const { targets } = await page(data([listing({ targets: [target] })], []));
    expect(targets).toMatchObject([{ primary: true, transport, address }]);
  });

  test("keeps what a server or its listing says as it is", async () => {
    const title = "<img src=x onerror=alert(1)> \u202e\u001b[2J";
    const version = "1\n::add-mask::x";
    const hostile = await page(data([listing({ title })], [run({ says: version })]));
    expect(hostile.title).toBe(title);
    expect(hostile.verdict.from!.version).toBe(version);
  });

  test("cannot be made when the evidence is not on record", async () => {
    await expect(publish(data([listing()], [run({ unrecorded: true })]))).rejects.toThrow(
      "no transcript of https://mcp.example/mcp, attempt 1",
    );
  });
});

describe("raw transcripts", () => {
  const lines = (files: ReadonlyMap<string, string>, index = 0) =>
    files
      .get(`raw/${NAME}/${index}.jsonl`)!
      .trimEnd()
      .split("\n")
      .map((line) => Transcript.parse(JSON.parse(line)));

  test("come newest first, each as it was recorded", async () => {
    const transcripts = lines(await publish(WORLD));
    expect(transcripts.map(({ startedAt }) => startedAt)).toEqual([hours(30), hours(24), hours(0)]);
    expect(transcripts[0]!.events[3]).toMatchObject({ type: "sent", data: expect.any(Uint8Array) });
  });

  test("are at most 20, and none older than 30 days", async () => {
    const at = (days: number) => run({ at: hours(24 * days) });
    const many = Array.from({ length: 25 }, (_, day) => at(day));
    expect(lines(await publish(data([listing()], many)))).toHaveLength(20);
    const old = lines(await publish(data([listing()], [at(0), at(1), at(31)])));
    expect(old.map(({ startedAt }) => startedAt)).toEqual([hours(24 * 31)]);
  });

  test("are not offered when a takedown withholds bytes, and the page stands", async () => {
    const world = data([listing()], [run({ withheld: true })]);
    const files = await publish(world);
    expect(files.has(`raw/${NAME}/0.jsonl`)).toBe(false);
    expect(parse(schema.ServerPage, files, PAGE)).toMatchObject({
      verdict: { verdict: "alive" },
      targets: [{ raw: null, observation: { judged: 1, withheld: true } }],
    });
  });

  test("are kept apart by target and by listing", async () => {
    const other = listing({ name: "example.fixture/other" });
    const files = await publish(
      data(
        [listing({ targets: [REMOTE, PACKAGE] }), other],
        [run({}, { target: PACKAGE, version: "1.0.0" }, { listing: other.name })],
      ),
    );
    expect(lines(files, 0).map(({ target }) => target.key)).toEqual([REMOTE.key]);
    expect(lines(files, 1).map(({ target }) => target.key)).toEqual([PACKAGE.key]);
    expect(files.get("raw/example.fixture/other/0.jsonl")!.split("\n")).toHaveLength(2);
  });
});

describe("the indexes", () => {
  test("list servers by name, and checks with who fails them", async () => {
    const files = await publish(WORLD);
    const { servers } = parse(schema.ServerIndex, files, "servers.json");
    expect(servers).toMatchObject([
      { name: "example.fixture/new", transport: "stdio", targets: 1, latency: null },
      { name: NAME, transport: "streamable-http", targets: 1, latency: 70, uptime30d: 10_000 },
    ]);
    const { checks } = parse(schema.CheckIndex, files, "checks.json");
    expect(checks).toMatchObject([
      { id: "L0.initialize", layer: "L0", outcomes: { passed: 1, failed: 0 }, failing: [] },
      { id: "L1.tools_list", layer: "L1", outcomes: { passed: 0, failed: 1 }, failing: [NAME] },
    ]);
    expect(checks[0]!.countedBy).toEqual(["verdict/1.1.0", "verdict/1.0.0"]);
  });

  test("list runs newest first, with what each gave alone", async () => {
    const { runs } = parse(schema.RunIndex, await publish(WORLD), "runs.json");
    const none = { alive: 0, degraded: 0, dead: 0, unverifiable: 0, none: 0 };
    expect(runs.map(({ kind, targets, verdicts }) => [kind, targets, verdicts])).toEqual([
      ["liveness", 1, { ...none, none: 1 }],
      ["full", 1, { ...none, degraded: 1 }],
      ["full", 1, { ...none, alive: 1 }],
    ]);
  });
});
