/** Probes many targets at once: one conversation at a time with each host, so many overall. */
import pLimit from "p-limit";
import { attemptsAt, type Repeat } from "./attempts.ts";
import { systemClock } from "./clock.ts";
import type { Controls } from "./control/controls.ts";
import { UsageError } from "./errors.ts";
import { type Manners, mannersAt } from "./politeness.ts";
import { record, type RecordOptions } from "./record.ts";
import type { Prepared } from "./sandbox/trusted.ts";
import type { Target, Transcript } from "./transcript/schema.ts";

export interface Planned {
  /** `namespace/name` of the listing. */
  readonly listing: string;
  readonly target: Target;
}

export interface SweepOptions extends Pick<
  RecordOptions,
  "kind" | "clock" | "allowLoopback" | "resolve" | "ca" | "onEvent"
> {
  /** How many targets are talked to at the same time. One that waits for its next attempt is not. */
  readonly concurrency: number;
  /** Makes a target that is a program ready to start; a UsageError says why it cannot be, by design. */
  prepare(target: Exclude<Target, { kind: "remote" }>): Promise<Prepared>;
  /** Which openings are tried again; default `any`: those that any published verdict calls failed. */
  readonly repeat?: Repeat;
  /** Looks at our own side near what fails; without it no server can be called dead. */
  readonly controls?: Controls;
  /** Told when a target is done, for a person who waits. */
  onDone?(probed: Probed): void;
  /** Told when the next attempt at a target starts at the earliest, in milliseconds since 1970. */
  onWait?(planned: Planned, due: number): void;
}

export type Probed =
  | { readonly planned: Planned; readonly attempts: readonly Transcript[] }
  /** The probe does not know how to start it; `skipped` says why. */
  | { readonly planned: Planned; readonly skipped: string };

/** Probes every planned target; the results stand in the order of the plan. */
export function sweep(plan: readonly Planned[], options: SweepOptions): Promise<Probed[]> {
  const overall = pLimit(options.concurrency);
  const mannersOf = mannersAt(options.clock ?? systemClock);
  return Promise.all(
    plan.map(async (planned) => {
      const manners = mannersOf(planned.target);
      // A target waits for its host first, so that it holds no place while it waits. Each attempt
      // takes a turn of its own: between them others are probed, also on the same host.
      const turn: Turn = (act) => manners.queue(() => overall(act));
      const probed = await probeOne(planned, turn, manners, options);
      options.onDone?.(probed);
      return probed;
    }),
  );
}

type Turn = <T>(act: () => Promise<T>) => Promise<T>;

async function probeOne(
  planned: Planned,
  turn: Turn,
  { pace }: Manners,
  options: SweepOptions,
): Promise<Probed> {
  const { listing, target } = planned;
  const { clock = systemClock, repeat = "any", controls, onWait } = options;
  let prepared: Prepared | undefined;
  /** In the first turn, next to the first attempt; once for all, for three installs could be three versions. */
  const prepare = async (program: Exclude<Target, { kind: "remote" }>) => {
    prepared ??= await options.prepare(program);
    return { launch: prepared.launch, installed: prepared.installed };
  };
  const attempt = async (attempt: number, openingOnly: boolean) => {
    const ready = target.kind === "remote" ? {} : await prepare(target);
    return record(target, { ...options, ...ready, listing, pace, attempt, openingOnly });
  };
  try {
    const attempts = await attemptsAt((...which) => turn(() => attempt(...which)), {
      clock,
      repeat,
      ...(controls && { control: (transcript) => controls.around(transcript) }),
      ...(onWait && { onWait: (due) => onWait(planned, due) }),
    });
    return { planned, attempts };
  } catch (error) {
    if (!prepared && error instanceof UsageError) return { planned, skipped: error.message };
    throw error;
  } finally {
    await prepared?.cleanup();
  }
}
