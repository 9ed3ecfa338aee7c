/** Ctrl+C and its like: what was started is ended first, then the command ends. */
import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The reason of an abort that a signal asked for. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  /** What a shell expects of a program that a signal ended. */
  readonly exitCode: number;

  constructor(signal: (typeof SIGNALS)[number]) {
    super(`ended by ${signal}`);
    this.exitCode = 128 + constants.signals[signal];
  }
}

/** Does the work with a signal that aborts when we are told to end; then throws `Interrupted`. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const listeners = SIGNALS.map((name) => {
    const abort = () => controller.abort(new Interrupted(name));
    process.on(name, abort);
    return () => process.off(name, abort);
  });
  try {
    const result = await work(controller.signal);
    controller.signal.throwIfAborted();
    return result;
  } catch (error) {
    // Whatever went wrong after that is our own doing.
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    listeners.forEach((remove) => remove());
  }
}
