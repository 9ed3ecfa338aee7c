/** Attempts, end to end: real servers on loopback, and a clock that only the test moves. */
import { setImmediate } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { verdicts } from "../methodology/index.ts";
import { assessAlone } from "../methodology/methodology.ts";
import type { Repeat } from "./attempts.ts";
import { checks } from "./checks/index.ts";
import { Controls } from "./control/controls.ts";
import { UsageError } from "./errors.ts";
import { observe } from "./evaluate.ts";
import { prepareTrusted } from "./sandbox/trusted.ts";
import { type Planned, type Probed, sweep, type SweepOptions } from "./sweep.ts";
import { ManualClock } from "./testing/manual-clock.ts";
import { type Asked, type Reply, serveMcp } from "./testing/servers/mcp.ts";
import { DISCOVER, METHOD_NOT_FOUND, remoteTarget } from "./testing/transcripts.ts";
import type { Transcript } from "./transcript/schema.ts";

const prepare = () => Promise.reject(new UsageError("no package here"));
const planned = (url: string): Planned => ({ listing: "a.fixture/x", target: remoteTarget(url) });

/** A server that gives each further opening the next of these answers, then behaves. */
async function serve(...openings: readonly (Reply | undefined)[]) {
  let opened = 0;
  const server = await serveMcp(({ method }) =>
    method === "initialize" ? openings[opened++] : undefined,
  );
  onTestFinished(() => server.stop());
  return server;
}

const status = (code: number): Reply => ({
  status: code,
  headers: { "content-type": "text/html" },
  body: "<p>no",
});
const BAD_GATEWAY = status(502);

/** Sweeps; whenever all that can happen has happened, time goes on to the next attempt. */
async function sweepFast(plan: readonly Planned[], options: Partial<SweepOptions> = {}) {
  const clock = new ManualClock();
  const controls = new Controls({ clock, prepare: (target) => prepareTrusted(target) });
  const waits: number[] = [];
  let busy = plan.length;
  const dues: number[] = [];
  const moveOn = () => {
    if (--busy > 0 || dues.length === 0) return;
    busy = dues.length;
    const due = Math.max(...dues.splice(0));
    void setImmediate().then(() => clock.advanceTo(due));
  };
  const probed = await sweep(plan, {
    clock,
    controls,
    concurrency: 8,
    allowLoopback: true,
    prepare,
    ...options,
    onDone: moveOn,
    onWait: (_, due) => {
      waits.push(due);
      dues.push(due);
      moveOn();
    },
  });
  return { probed, clock, controls, waits };
}

const attemptsOf = (probed: Probed | undefined): readonly Transcript[] =>
  probed && "attempts" in probed ? probed.attempts : [];

/** Under the current version of the verdict, and the one before. */
function verdictsOf(attempts: readonly Transcript[], controls: Controls) {
  const observation = observe(attempts, { checks, facts: [], control: controls.made });
  return verdicts.map((methodology) => {
    const { verdict, reason } = assessAlone(methodology, observation);
    return verdict === "dead" || verdict === null ? verdict : (reason ?? verdict);
  });
}

const modern = ({ method, message }: Asked): Reply | undefined => {
  if (method === "initialize") return { error: METHOD_NOT_FOUND };
  if (method === "server/discover") return { result: DISCOVER };
  return method === "tools/list" ? { result: { ...(message as object), tools: [] } } : undefined;
};

describe("an opening", () => {
  test.each<[string, readonly Reply[], number, readonly (string | null)[]]>([
    ["that passes is not tried again", [], 1, ["alive", "alive"]],
    ["that met a slow-down is tried again and may pass", [status(429)], 2, ["alive", "alive"]],
    ["that met a bad gateway is tried again and may pass", [BAD_GATEWAY], 2, ["alive", "alive"]],
    ["that passes on the third attempt passes", [BAD_GATEWAY, BAD_GATEWAY], 3, ["alive", "alive"]],
    ["that fails three times makes a server dead", Array(3).fill(BAD_GATEWAY), 3, ["dead", "dead"]],
    [
      "that only the older verdict fails is tried three times too",
      Array(3).fill(status(429)),
      3,
      ["rate-limited", "dead"],
    ],
    [
      "that is refused is tried three times too",
      Array(3).fill(status(403)),
      3,
      ["refused", "dead"],
    ],
    [
      "that asks for credentials is not tried again",
      [status(401)],
      1,
      ["auth-required", "auth-required"],
    ],
    [
      "that asks for a proxy's credentials is not either",
      [status(407)],
      1,
      ["auth-required", "auth-required"],
    ],
    [
      "that asks for credentials on the second attempt ends there",
      [BAD_GATEWAY, status(401)],
      2,
      ["auth-required", "auth-required"],
    ],
  ])("%s", async (_, openings, count, expected) => {
    const server = await serve(...openings);
    const { probed, controls } = await sweepFast([planned(server.url)]);
    const attempts = attemptsOf(probed[0]);
    expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3].slice(0, count));
    expect(verdictsOf(attempts, controls)).toEqual(expected);
  });

  test("starts at least a minute after the one before, and not much later", async () => {
    const server = await serve(...Array<Reply>(3).fill(BAD_GATEWAY));
    const { probed } = await sweepFast([planned(server.url)]);
    const starts = attemptsOf(probed[0]).map(({ startedAt }) => Date.parse(startedAt));
    expect(starts.map((start) => start - starts[0]!)).toEqual([0, 60_000, 120_000]);
  });

  test("that passes late goes on to the whole battery, once", async () => {
    const server = await serve(BAD_GATEWAY);
    await sweepFast([planned(server.url)]);
    const methods = server.asked.map(({ method }) => method);
    expect(methods.filter((method) => method !== "initialize")).toEqual([
      "notifications/initialized",
      "tools/list",
      "probe/unknown-method",
      "server/discover",
    ]);
  });

  test.each<[Repeat, number, string | null]>([
    ["any", 3, "dead"],
    ["current", 1, null],
    ["never", 1, null],
  ])(
    "of the newer era alone, tried again for %s verdict, is tried %d times",
    async (repeat, count, before) => {
      const server = await serveMcp(modern);
      onTestFinished(() => server.stop());
      const { probed, controls } = await sweepFast([planned(server.url)], { repeat });
      const attempts = attemptsOf(probed[0]);
      expect(attempts).toHaveLength(count);
      expect(verdictsOf(attempts, controls)).toEqual(["alive", before]);
      // Extra attempts are openings only: L1 is measured once.
      const asked = (wanted: string) =>
        server.asked.filter(({ method }) => method === wanted).length;
      expect([asked("server/discover"), asked("tools/list")]).toEqual([count, 1]);
    },
  );

  test("that fails is not tried again where nobody asked for it", async () => {
    const server = await serve(BAD_GATEWAY);
    const { probed } = await sweepFast([planned(server.url)], { repeat: "never" });
    expect(attemptsOf(probed[0])).toHaveLength(1);
  });
});

describe("while a target waits for its next attempt", () => {
  test("others are probed, with no place but one, and on the same host", async () => {
    const clock = new ManualClock();
    let failing = true;
    const server = await serveMcp(({ method }) =>
      method === "initialize" && failing ? BAD_GATEWAY : undefined,
    );
    onTestFinished(() => server.stop());
    const other = await serve();
    const done: string[] = [];
    const plan = [server.url, `${server.url}?2`, other.url].map(planned);
    await sweep(plan, {
      clock,
      concurrency: 1,
      allowLoopback: true,
      prepare,
      onWait: () => {
        failing = false;
      },
      onDone: ({ planned: { target } }) => {
        done.push(target.key);
        // Only the first is left, and it waits.
        if (done.length === 2) clock.advance(60_000);
      },
    });
    expect(done.slice(0, 2).sort()).toEqual([`${server.url}?2`, other.url].sort());
    expect(done.slice(2)).toEqual([server.url]);
  });

  test("the run needs two minutes for any number of dead servers, not for each", async () => {
    const servers = await Promise.all(
      Array.from({ length: 12 }, () => serve(...Array<Reply>(3).fill(BAD_GATEWAY))),
    );
    const begun = new ManualClock().now();
    const { probed, clock } = await sweepFast(
      servers.map(({ url }) => planned(url)),
      { concurrency: 3 },
    );
    expect(probed.map((each) => attemptsOf(each).length)).toEqual(Array(12).fill(3));
    expect(clock.now() - begun).toBe(120_000);
  });

  test("who waits is told when it goes on", async () => {
    const server = await serve(BAD_GATEWAY);
    const { waits } = await sweepFast([planned(server.url)]);
    expect(waits).toEqual([Date.parse("2026-11-30T12:01:00.000Z")]);
  });
});

describe("a program", () => {
  test("is made ready once for all its attempts, and cleaned up behind them", async () => {
    const steps: string[] = [];
    const target = {
      kind: "command" as const,
      key: "x",
      argv: [process.execPath, "-e", "process.exit(1)"],
      environment: {},
      missing: [],
    };
    const { probed, controls } = await sweepFast([{ listing: "a.fixture/x", target }], {
      async prepare(program) {
        steps.push("prepare");
        const { launch, cleanup } = await prepareTrusted(program);
        return { launch, cleanup: () => (steps.push("cleanup"), cleanup()) };
      },
    });
    expect(steps).toEqual(["prepare", "cleanup"]);
    expect(verdictsOf(attemptsOf(probed[0]), controls)).toEqual(["dead", "dead"]);
    expect(controls.made.map(({ capability }) => capability)).toEqual(Array(3).fill("sandbox"));
  });
});
