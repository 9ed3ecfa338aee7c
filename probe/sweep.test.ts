import { expect, onTestFinished, test } from "vitest";
import { UsageError } from "./errors.ts";
import { type Planned, sweep } from "./sweep.ts";
import { remoteTarget } from "./testing/transcripts.ts";
import { type Asked, serveMcp } from "./testing/servers/mcp.ts";
import type { Target } from "./transcript/schema.ts";
import { opening } from "./views/opening.ts";

const prepare = () => Promise.reject(new UsageError("no package here"));

function planned(url: string, path: string): Planned {
  const key = url.replace("/mcp", path);
  return {
    listing: `example.fixture${path}`,
    target: remoteTarget(key),
  };
}

test("one host has one conversation at a time, and results keep the order of the plan", async () => {
  const open = new Set<string>();
  let most = 0;
  const track = ({ method, message }: Asked): undefined => {
    if (method === "initialize") open.add(JSON.stringify(message));
    most = Math.max(most, open.size);
    if (method === "probe/unknown-method") open.clear();
  };
  const server = await serveMcp(track);
  onTestFinished(() => server.stop());
  const plan = ["/a", "/b", "/c"].map((path) => planned(server.url, path));
  const probed = await sweep(plan, { concurrency: 8, allowLoopback: true, prepare });
  expect(probed.map(({ planned: { listing } }) => listing)).toEqual(plan.map((p) => p.listing));
  expect(most).toBe(1);
  for (const each of probed) {
    expect("attempts" in each && opening(each.attempts[0]!).opened).toBe(true);
  }
});

const PACKAGE = {
  kind: "package",
  key: "npm:nothing",
  registry: "npm",
  identifier: "nothing",
  version: "1.0.0",
  arguments: [],
  environment: {},
  missing: [],
} as const satisfies Target;

test("a package that was not installed has attempts that say so, and is cleaned up behind them", async () => {
  const steps: string[] = [];
  const fault = { code: "E404", message: "Not Found" };
  const { registry, identifier, version } = PACKAGE;
  const installed = { registry, identifier, version, took: 7, step: "look-up", fault } as const;
  const [probed] = await sweep([{ listing: "a.fixture/x", target: { ...PACKAGE } }], {
    concurrency: 1,
    repeat: "never",
    async prepare() {
      steps.push("prepare");
      return { launch: undefined, installed, cleanup: async () => void steps.push("cleanup") };
    },
  });
  const events = probed && "attempts" in probed && probed.attempts.map((each) => each.events);
  expect(events).toMatchObject([[{ type: "installed", ...installed }]]);
  expect(steps).toEqual(["prepare", "cleanup"]);
});

test("a program that the probe does not know how to start is skipped with the reason, and stops nothing", async () => {
  const server = await serveMcp();
  onTestFinished(() => server.stop());
  const plan: Planned[] = [
    {
      listing: "example.fixture/package",
      target: { ...PACKAGE },
    },
    planned(server.url, "/mcp"),
  ];
  const [first, second] = await sweep(plan, { concurrency: 2, allowLoopback: true, prepare });
  expect(first).toMatchObject({ skipped: "no package here" });
  expect(second).toHaveProperty("attempts");
});
