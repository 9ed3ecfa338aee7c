/** Time, as an argument: the probe waits and measures only through this, so tests can own it. */
export interface Clock {
  /** Milliseconds since 1970, never running backwards, whole. */
  now(): number;
  /** Calls `act` once after `ms`; the returned function takes that back. */
  after(ms: number, act: () => void): () => void;
}

const epoch = Date.now() - performance.now();

export const systemClock: Clock = {
  now: () => Math.round(epoch + performance.now()),
  after(ms, act) {
    let soon: NodeJS.Immediate | undefined;
    // A moment later: what had arrived before, and we were too busy to read, is read first. Else
    // the deadline of one server would depend on how much all the others say.
    const timer = setTimeout(() => (soon = setImmediate(act)), ms);
    return () => {
      clearTimeout(timer);
      if (soon) clearImmediate(soon);
    };
  },
};

/** Resolves after `ms`. */
export function sleep(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => clock.after(ms, resolve));
}

/** Resolves at `moment` and never before: timers of the platform may fire a millisecond early. */
export async function sleepUntil(clock: Clock, moment: number): Promise<void> {
  for (let left = moment - clock.now(); left > 0; left = moment - clock.now()) {
    await sleep(clock, left);
  }
}
