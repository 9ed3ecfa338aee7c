/**
 * The attempts at one target. Only L0 is tried again: an opening that any published verdict counts as
 * failed gets up to three attempts whose starts are at least a minute apart, and what settles the
 * matter ends them at once.
 *
 * The first attempt that opens goes on to the whole battery, also when it is the second or third:
 * L1 and L2 are its. Openings alone are the attempts after that one. They are made because an older
 * verdict asks for an opening that the newer one excuses, and calls no server dead on one attempt.
 */
import { verdicts } from "../methodology/index.ts";
import { assessAlone } from "../methodology/methodology.ts";
import { checks } from "./checks/index.ts";
import { type Clock, sleepUntil } from "./clock.ts";
import { observe } from "./evaluate.ts";
import type { Observation } from "./observation.ts";
import { limit } from "./rules.ts";
import type { Transcript } from "./transcript/schema.ts";

/** Which openings are tried again: those that any verdict counts as failed, or the current one. */
export type Repeat = "any" | "current" | "never";

export interface AttemptsOptions {
  readonly clock: Clock;
  readonly repeat: Repeat;
  /** How many attempts at the most; default: as many as a verdict of dead needs. */
  readonly most?: number;
  /** Looks at our own side near an attempt that was just made. */
  control?(transcript: Transcript): Promise<void>;
  /** Told when the next attempt starts at the earliest, in milliseconds since 1970. */
  onWait?(due: number): void;
}

/** Makes attempts until one settles the matter; `record` makes one and may wait for its turn. */
export async function attemptsAt(
  record: (attempt: number, openingOnly: boolean) => Promise<Transcript>,
  options: AttemptsOptions,
): Promise<Transcript[]> {
  const { clock, repeat, most = limit("attempts") } = options;
  const made: Transcript[] = [];
  let opened = false;
  for (;;) {
    const transcript = await record(made.length + 1, opened);
    made.push(transcript);
    await options.control?.(transcript);
    const alone = observe([transcript], { checks: opening, facts: [] });
    opened ||= alone.attempts[0]!.stoppedBy === null;
    if (made.length >= most || !isTriedAgain(alone, repeat)) return made;
    const due = Date.parse(transcript.startedAt) + limit("attempt-gap");
    options.onWait?.(due);
    await sleepUntil(clock, due);
  }
}

/** Whether a verdict would need more attempts to say that the opening failed. */
function isTriedAgain(alone: Observation, repeat: Repeat): boolean {
  const [current, ...others] = verdicts;
  const asked = { any: [current, ...others], current: [current], never: [] }[repeat];
  return asked.some((verdict) => assessAlone(verdict, alone).reason === "attempts-incomplete");
}

const opening = checks.filter(({ id }) => id.startsWith("L0."));
