import { expect, onTestFinished, test } from "vitest";
import { UsageError } from "./errors.ts";
import { type Planned, sweep } from "./sweep.ts";
import { remoteTarget } from "./testing/transcripts.ts";
import { type Asked, serveMcp } from "./testing/servers/mcp.ts";
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

test("a program that cannot be made ready is skipped with the reason, and stops nothing", async () => {
  const server = await serveMcp();
  onTestFinished(() => server.stop());
  const plan: Planned[] = [
    {
      listing: "example.fixture/package",
      target: {
        kind: "package",
        key: "npm:nothing",
        registry: "npm",
        identifier: "nothing",
        version: "1.0.0",
        arguments: [],
        environment: {},
        missing: [],
      },
    },
    planned(server.url, "/mcp"),
  ];
  const [first, second] = await sweep(plan, { concurrency: 2, allowLoopback: true, prepare });
  expect(first).toMatchObject({ skipped: "no package here" });
  expect(second).toHaveProperty("attempts");
});
