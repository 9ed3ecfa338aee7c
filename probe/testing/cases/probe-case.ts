/** Runs one variant through the probe as a run would: attempts, control, observation, verdicts. */
import { checks } from "../../checks/index.ts";
import { Controls } from "../../control/controls.ts";
import { observe } from "../../evaluate.ts";
import { facts } from "../../facts/index.ts";
import type { Endpoint } from "../../rules.ts";
import type { Prepared } from "../../sandbox/trusted.ts";
import { sweep, type SweepOptions } from "../../sweep.ts";
import type { Event, Installed, Target } from "../../transcript/schema.ts";
import type { Resolve } from "../../transport/guard.ts";
import { JumpingClock } from "../jumping-clock.ts";
import { PACKAGE } from "../transcripts.ts";
import type { Outcome } from "./case.ts";
import { attend, type Program } from "./program.ts";
import { type Remote, serve } from "./remote.ts";

type Package = Extract<Target, { kind: "package" }>;
type Options = Pick<SweepOptions, "resolve" | "ca" | "prepare" | "onEvent">;

/** Starts the server of a variant, probes it until nothing more would be tried, and stops it. */
export function probeCase(server: Remote | Program): Promise<Outcome> {
  return server.wire === "http" ? probeRemote(server) : probeProgram(server);
}

async function probeRemote(remote: Remote): Promise<Outcome> {
  const clock = new JumpingClock();
  const [serving, known] = [await serve(remote, clock), await serve({ wire: "http" }, clock)];
  const target: Target = {
    kind: "remote",
    key: serving.url,
    url: serving.url,
    transport: remote.transport ?? "streamable-http",
    missing: [...(remote.missing ?? [])],
  };
  const broken = new Set(remote.broken);
  const resolve = brokenIf(broken.has("dns"), serving.resolve);
  const prepare = (): never => {
    throw new Error("A remote starts no process.");
  };
  try {
    const outcome = await probe(target, clock, broken, known.port, {
      resolve,
      ca: serving.ca,
      prepare,
    });
    return { ...outcome, asked: serving.asked };
  } finally {
    await Promise.all([serving.stop(), known.stop()]);
  }
}

async function probeProgram(program: Program): Promise<Outcome> {
  const clock = new JumpingClock();
  const broken = new Set(program.broken);
  const [running, control] = [await attend(program, clock), await attend({ wire: "stdio" }, clock)];
  clock.holdWhile(() => running.busy());
  const target = { ...PACKAGE, missing: [...(program.missing ?? [])] };
  let [installs, controls] = [0, 0];
  clock.holdWhile(() => controls > 0);
  const prepare = async ({ key }: Target): Promise<Prepared> => {
    if (key === target.key) {
      installs += 1;
      const installed = await install(target, program, clock);
      const launch = installed?.fault ? undefined : running.launch;
      return { launch, installed, cleanup: async () => {} };
    }
    controls += 1;
    const cleanup = async () => void (controls -= 1);
    if (!broken.has("sandbox")) return { launch: control.launch, cleanup };
    return { launch: { ...control.launch, argv: ["/no/such/program"] }, cleanup };
  };
  try {
    const { onEvent } = running;
    const outcome = await probe(target, clock, broken, undefined, { prepare, onEvent });
    return { ...outcome, asked: running.asked, pids: running.pids, installs };
  } finally {
    await Promise.all([running.stop(), control.stop()]);
  }
}

/** Installs the package of a variant; undefined where it is there already. */
async function install(
  { registry, identifier, version }: Package,
  program: Program,
  clock: JumpingClock,
): Promise<Installed | undefined> {
  if (!program.install) return undefined;
  const began = clock.now();
  const ended = (await program.install(clock)) ?? { step: "install" };
  return { registry, identifier, version, took: clock.now() - began, ...ended };
}

async function probe(
  target: Target,
  clock: JumpingClock,
  broken: ReadonlySet<string>,
  knownGood: number | undefined,
  options: Options,
): Promise<Omit<Outcome, "asked">> {
  const common = { ...options, clock, allowLoopback: true };
  const askRegistry = async () => (broken.has("registry") ? UNREACHED : undefined);
  const own = endpoints(broken, knownGood);
  const controls = new Controls({ ...common, endpoints: own, askRegistry });
  const plan = [{ listing: "test.fixture/case", target }];
  const [probed] = await sweep(plan, { ...common, controls, concurrency: 1 });
  if (!probed || "skipped" in probed) throw new Error(`Skipped: ${probed?.skipped}`);
  const transcripts = probed.attempts;
  const observation = observe(transcripts, { checks, facts, control: controls.made });
  return { transcripts, observation, pids: [], installs: 0 };
}

const UNREACHED = { code: "ENOTFOUND", message: "getaddrinfo ENOTFOUND registry.fixture.test" };

const brokenIf = (broken: boolean, resolve: Resolve): Resolve => {
  if (!broken) return resolve;
  return async (name) => {
    throw Object.assign(new Error(`getaddrinfo EAI_AGAIN ${name}`), { code: "EAI_AGAIN" });
  };
};

/** Three known-good endpoints for each capability; those of a broken one lead nowhere. */
function endpoints(broken: ReadonlySet<string>, port: number | undefined): readonly Endpoint[] {
  if (port === undefined) return [];
  return (["dns", "ipv4", "ipv6", "tls"] as const).flatMap((capability) =>
    ["a", "b", "c"].map((name) => ({
      capability,
      host: capability === "ipv4" ? "127.0.0.1" : `${name}.known.fixture.test`,
      port: capability === "dns" ? null : broken.has(capability) ? 1 : port,
    })),
  );
}

/** The events of one type, of all attempts. */
export const eventsIn = <T extends Event["type"]>({ transcripts }: Outcome, type: T) =>
  transcripts.flatMap(({ events }) =>
    events.filter((event): event is Extract<Event, { type: T }> => event.type === type),
  );
