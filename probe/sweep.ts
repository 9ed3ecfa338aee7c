/** Probes many targets at once: one conversation at a time with each host, so many overall. */
import pLimit, { type LimitFunction } from "p-limit";
import { UsageError } from "./errors.ts";
import { record, type RecordOptions } from "./record.ts";
import type { Prepared } from "./sandbox/trusted.ts";
import type { Target, Transcript } from "./transcript/schema.ts";
import { isLoopback } from "./views/network.ts";

export interface Planned {
  /** `namespace/name` of the listing. */
  readonly listing: string;
  readonly target: Target;
}

export interface SweepOptions extends Pick<
  RecordOptions,
  "kind" | "clock" | "allowLoopback" | "resolve" | "ca"
> {
  /** How many targets are talked to at the same time. */
  readonly concurrency: number;
  /** Makes a target that is a program ready to start. */
  prepare(target: Exclude<Target, { kind: "remote" }>): Promise<Prepared>;
  /** Told when a target is done, for a person who waits. */
  onDone?(probed: Probed): void;
}

export type Probed =
  | { readonly planned: Planned; readonly attempts: readonly Transcript[] }
  /** It was never started; `skipped` says why. */
  | { readonly planned: Planned; readonly skipped: string };

/** Probes every planned target; the results stand in the order of the plan. */
export function sweep(plan: readonly Planned[], options: SweepOptions): Promise<Probed[]> {
  const overall = pLimit(options.concurrency);
  const hosts = new Map<string, LimitFunction>();
  const queueOf = (target: Target): LimitFunction => {
    const host = hostOf(target);
    const queue = hosts.get(host) ?? pLimit(1);
    hosts.set(host, queue);
    return queue;
  };
  return Promise.all(
    plan.map((planned) =>
      // A target waits for its host first, so that it holds no place while it waits.
      queueOf(planned.target)(() =>
        overall(async () => {
          const probed = await probeOne(planned, options);
          options.onDone?.(probed);
          return probed;
        }),
      ),
    ),
  );
}

async function probeOne(planned: Planned, options: SweepOptions): Promise<Probed> {
  const { listing, target } = planned;
  if (target.kind === "remote") {
    return { planned, attempts: [await record(target, { ...options, listing })] };
  }
  let prepared: Prepared;
  try {
    prepared = await options.prepare(target);
  } catch (error) {
    if (error instanceof UsageError) return { planned, skipped: error.message };
    throw error;
  }
  try {
    const attempt = await record(target, { ...options, listing, launch: prepared.launch });
    return { planned, attempts: [attempt] };
  } finally {
    await prepared.cleanup();
  }
}

/** What a politeness queue belongs to: a host, on loopback with its port, or one program. */
function hostOf(target: Target): string {
  if (target.kind !== "remote") return target.key;
  const { host, hostname } = new URL(target.url);
  return isLoopback(target.url) ? host : hostname;
}
