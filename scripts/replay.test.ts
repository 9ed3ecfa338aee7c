/** `npm run replay` as an auditor runs it, in a process that has no network. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { checks } from "../probe/checks/index.ts";
import { observe } from "../probe/evaluate.ts";
import { facts } from "../probe/facts/index.ts";
import { appendRun } from "../probe/store/append.ts";
import { newRun } from "../probe/store/testing/runs.ts";
import { httpTranscript, modernTranscript, stdioTranscript } from "../probe/testing/transcripts.ts";
import { apiOf } from "./api/build.ts";
import { replaceFolder } from "./api/write.ts";

const CUT_OFF = join(import.meta.dirname, "../probe/testing/purity/cut-off.ts");
const RUN = "runs/2026/11/30/0600Z-full-test";

const TRANSCRIPTS = [
  { ...httpTranscript(), listing: "example.a/http" },
  { ...modernTranscript(), listing: "example.b/modern" },
  { ...stdioTranscript(), listing: "example.c/stdio" },
];

async function published(): Promise<{ data: string; api: string }> {
  const folder = await mkdtemp(join(tmpdir(), "probity-replay-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [data, api] = [join(folder, "data"), join(folder, "api")];
  const [shard] = newRun(6, TRANSCRIPTS).shards;
  const observations = TRANSCRIPTS.map((each) => observe([each], { checks, facts }));
  await appendRun(
    data,
    {
      ...newRun(6, TRANSCRIPTS),
      judges: { checks: checks.map(({ id }) => id), facts: facts.map(({ id }) => id) },
      shards: [{ ...shard!, observations }],
    },
    ".jsonl",
  );
  for (const name of TRANSCRIPTS.map(({ listing }) => listing)) {
    const path = join(data, "listings", `${name}.json`);
    await mkdir(dirname(path), { recursive: true });
    const remotes = [{ type: "streamable-http", url: "https://mcp.example/mcp" }];
    await writeFile(path, JSON.stringify({ name, description: "", version: "1.0.0", remotes }));
  }
  await replaceFolder(api, apiOf(data));
  return { data, api };
}

/** Runs a program with the network cut off. */
function offline(args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ["--import", CUT_OFF, ...args], (error, out, err) => {
      resolve({ code: typeof error?.code === "number" ? error.code : 0, out, err });
    });
  });
}

const replay = (...args: readonly string[]) =>
  offline([join(import.meta.dirname, "replay.ts"), "--check", ...args]);

test("the cut is real: a process behind it opens no socket", async () => {
  const { code, err } = await offline(["-e", 'require("node:net").connect(1)']);
  expect(code).not.toBe(0);
  expect(err).toContain("connect was used by code that must be pure");
});

test("derives observations, verdicts, badges and pages again, without a network", async () => {
  const { data, api } = await published();
  const { code, out, err } = await replay("--data", data, "--api", api);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/derived 3 observations of 1 runs again .* all equal/);
  expect(out).toMatch(/derived \d+ files again; all equal/);
});

describe("exits with 1 and names the place when", () => {
  test("one byte of a stored body changed", async () => {
    const { data } = await published();
    const path = join(data, RUN, "01.bodies.jsonl");
    await writeFile(path, (await readFile(path, "utf8")).replace("get_word", "get_wOrd"));
    const { code, err } = await replay("--data", data);
    expect(code).toBe(1);
    expect(err).toMatch(/01\.bodies\.jsonl:\d+: body [0-9a-f]{64} was changed/);
  });

  test("a stored outcome changed", async () => {
    const { data } = await published();
    const path = join(data, RUN, "01.observations.jsonl");
    const text = await readFile(path, "utf8");
    await writeFile(
      path,
      text.replace('"L1.envelope","outcome":"passed"', '"L1.envelope","outcome":"failed"'),
    );
    const { code, err } = await replay("--data", data);
    expect(code).toBe(1);
    expect(err).toMatch(/01\.observations\.jsonl:2: .*: L1\.envelope differs/);
  });

  test("a published badge changed", async () => {
    const { data, api } = await published();
    await writeFile(join(api, "badges/example.a/http.svg"), "<svg/>");
    const { code, err } = await replay("--data", data, "--api", api);
    expect(code).toBe(1);
    expect(err).toMatch(/http\.svg: differs at byte \d+/);
  });
});

test("a folder that is not there is one line and exit code 2", async () => {
  const { code, err } = await replay("--data", "/no/such/folder");
  expect(code).toBe(2);
  expect(err).toMatch(/^probity: \/no\/such\/folder is no data folder/);
});
