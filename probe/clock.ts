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
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
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
