/** Installing with the real package manager, from a registry on loopback. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import checkReachable from "../checks/L0.reachable.ts";
import { systemClock } from "../clock.ts";
import { tryRegistry } from "../control/registry.ts";
import { UsageError } from "../errors.ts";
import { record } from "../record.ts";
import { controlPackages } from "../rules.ts";
import { type Published, type Registry, serveRegistry } from "../testing/servers/registry.ts";
import type { Target } from "../transcript/schema.ts";
import { opening } from "../views/opening.ts";
import { askRegistry, exactVersion } from "./npm.ts";
import { prepareTrusted } from "./trusted.ts";

/** As long as four starts of npm take on a busy machine. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const SERVER = `
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: {} }));
});`;

const PACKAGES: readonly Published[] = [
  { name: "good", version: "1.0.0", bin: "server.js", files: { "server.js": SERVER } },
  { name: "@scope/good", version: "2.0.0", bin: "server.js", files: { "server.js": SERVER } },
  { name: "without-command", version: "1.0.0" },
  { name: "odd-command", version: "1.0.0", bin: { "odd-command": 3 } },
  {
    name: "needs-more",
    version: "1.0.0",
    bin: "x.js",
    dependencies: { "no-such-package": "1.0.0" },
  },
  {
    name: "with-script",
    version: "1.0.0",
    bin: "server.js",
    scripts: { postinstall: "node -e \"require('fs').writeFileSync('server.js', '')\"" },
    files: { "server.js": SERVER },
  },
];

let registry: Registry;
const stubs = (url: string, cache: string) => {
  vi.stubEnv("npm_config_registry", url);
  vi.stubEnv("npm_config_cache", cache);
  vi.stubEnv("npm_config_fetch_retries", "0");
};
let cache: string;

beforeAll(async () => {
  cache = await mkdtemp(join(tmpdir(), "probity-cache-"));
  registry = await serveRegistry(PACKAGES);
  stubs(registry.url, cache);
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await registry.stop();
  await rm(cache, { recursive: true, force: true });
});

const npm = (identifier: string, version = "1.0.0"): Extract<Target, { kind: "package" }> => ({
  kind: "package",
  key: `npm:${identifier}`,
  registry: "npm",
  identifier,
  version,
  arguments: [],
  environment: {},
  missing: [],
});

async function prepare(target: Extract<Target, { kind: "package" }>, packages?: string) {
  const prepared = await prepareTrusted(target, packages);
  onTestFinished(() => prepared.cleanup());
  return prepared;
}

/** What the record of an attempt makes of it. */
async function attempt(target: Extract<Target, { kind: "package" }>) {
  const { launch, installed } = await prepare(target);
  const transcript = await record(target, { kind: "liveness", launch, installed });
  return { transcript, reachable: checkReachable.run(transcript) };
}

/** Points npm at another place for the rest of the test. */
function pointAt(url: string): void {
  stubs(url, cache);
  onTestFinished(() => stubs(registry.url, cache));
}

async function broken(status: number): Promise<void> {
  const other = await serveRegistry([], status);
  onTestFinished(() => other.stop());
  pointAt(other.url);
}

/** Nobody listens on the discard port. */
const NOWHERE = "http://127.0.0.1:9";

describe("a package", () => {
  test.each([npm("good"), npm("@scope/good", "2.0.0")])(
    "$identifier is installed, started, and on record with the time that took",
    async (target) => {
      const { transcript, reachable } = await attempt(target);
      const { identifier, version } = target;
      const [installed, spawned] = transcript.events;
      const as = { registry: "npm", identifier, version, step: "install" };
      expect(installed).toMatchObject({ type: "installed", ...as });
      expect(installed).not.toHaveProperty("fault");
      expect(installed).toHaveProperty(
        "took",
        expect.toSatisfy((ms: number) => ms > 0),
      );
      expect(spawned).toMatchObject({ argv: ["node", `${identifier}/server.js`] });
      expect(reachable).toMatchObject({ outcome: "passed" });
      expect(opening(transcript).opened).toBe(true);
    },
  );

  test("runs no script of its own while it is installed", async () => {
    const { transcript } = await attempt(npm("with-script"));
    expect(opening(transcript).opened).toBe(true);
  });

  test("that is there already is not installed again", async () => {
    const packages = await mkdtemp(join(tmpdir(), "probity-packages-"));
    onTestFinished(() => rm(packages, { recursive: true, force: true }));
    await mkdir(join(packages, "node_modules/good"), { recursive: true });
    const manifest = { name: "good", version: "1.0.0", bin: "server.js" };
    await writeFile(join(packages, "node_modules/good/package.json"), JSON.stringify(manifest));
    const before = registry.asked.length;
    const { launch, installed } = await prepare(npm("good"), packages);
    expect([launch?.shown, installed]).toEqual([["node", "good/server.js"], undefined]);
    expect(registry.asked).toHaveLength(before);
  });

  test.each([
    ["that the registry does not know", npm("no-such-package"), "E404"],
    ["in a version that it does not know", npm("good", "9.9.9"), "E404"],
    ["of a name that none can have", npm("no such name"), "EINVALIDPACKAGENAME"],
    ["of a version that leads elsewhere", npm("good", "file:/etc"), "EINVALIDPACKAGENAME"],
    ["of a version that is an archive", npm("good", "x.tgz"), "EINVALIDPACKAGENAME"],
  ])("%s fails, and nothing is started", async (_, target, code) => {
    const { transcript, reachable } = await attempt(target);
    expect(transcript.events).toMatchObject([{ step: "look-up", fault: { code } }]);
    expect(reachable).toMatchObject({ outcome: "failed", reason: "package-not-found" });
  });

  test("that needs one that is not there is unavailable, and not unknown", async () => {
    const { transcript, reachable } = await attempt(npm("needs-more"));
    expect(transcript.events).toMatchObject([{ step: "install", fault: { code: "E404" } }]);
    expect(reachable).toMatchObject({ outcome: "untested", reason: "package-unavailable" });
  });

  test.each<[string, () => void | Promise<void>, string]>([
    ["cannot be reached", () => pointAt(NOWHERE), "ECONNREFUSED"],
    ["is broken", () => broken(500), "E500"],
    ["wants to know us", () => broken(401), "E401"],
    ["refuses us", () => broken(403), "E403"],
  ])("is unavailable where the registry %s", async (_, happen, code) => {
    await happen();
    const { transcript, reachable } = await attempt(npm("good"));
    expect(transcript.events).toMatchObject([{ step: "look-up", fault: { code } }]);
    expect(reachable).toMatchObject({ outcome: "untested", reason: "package-unavailable" });
  });

  test.each([
    ["has no command", npm("without-command"), /has no command/],
    ["says its command wrongly", npm("odd-command"), /has no command/],
    ["has no version in its listing", npm("good", "unknown"), /names no version/],
    ["is of another registry", { ...npm("good"), registry: "pypi" as const }, /only npm packages/],
  ])("that %s is not ours to start", async (_, target, words) => {
    const prepared = prepareTrusted(target);
    await expect(prepared).rejects.toThrow(UsageError);
    await expect(prepared).rejects.toThrow(words);
  });
});

describe("a tag", () => {
  test("means the version that has it today", async () => {
    expect(await exactVersion("good", "latest")).toBe("1.0.0");
  });

  test("of no package is a wrong word of who typed it", async () => {
    const asked = exactVersion("no-such-package", "latest");
    await expect(asked).rejects.toThrow(UsageError);
    await expect(asked).rejects.toThrow(/no-such-package@latest.*E404.*Check the name/);
  });
});

describe("the control of the registry", () => {
  const known = controlPackages.map((name) => ({ name, version: "1.0.0" }));
  const codes = async () =>
    (await tryRegistry(systemClock)).map(({ fault }) => fault?.code ?? "ok");

  test("asks for every package of the public list", async () => {
    const other = await serveRegistry(known);
    onTestFinished(() => other.stop());
    pointAt(other.url);
    expect(await codes()).toEqual(controlPackages.map(() => "ok"));
    expect(other.asked.toSorted()).toEqual(controlPackages.map((name) => `/${name}`).toSorted());
    // What npm has heard before is no sign of life.
    pointAt(NOWHERE);
    expect(new Set(await codes())).toEqual(new Set(["ECONNREFUSED"]));
  });

  test("fails where one is not there that always was", async () => {
    expect(new Set(await codes())).toEqual(new Set(["E404"]));
  });

  test("is given up in time", async () => {
    const hurried = {
      ...systemClock,
      after: (_: number, act: () => void) => systemClock.after(0, act),
    };
    expect(await askRegistry("good", cache, hurried)).toMatchObject({ code: "ETIMEDOUT" });
  });
});
