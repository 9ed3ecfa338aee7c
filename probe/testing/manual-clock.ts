/** A clock that stands still until a test moves it. What it is waited for with happens in order. */
import type { Clock } from "../clock.ts";

export class ManualClock implements Clock {
  #now: number;
  readonly #timers = new Set<{ readonly at: number; readonly act: () => void }>();

  constructor(start = Date.parse("2026-11-30T12:00:00.000Z")) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, act: () => void): () => void {
    const timer = { at: this.#now + ms, act };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Moves on to a moment; whoever waited until then or earlier is woken. */
  advanceTo(moment: number): void {
    for (;;) {
      const [next] = [...this.#timers].sort((a, b) => a.at - b.at);
      if (!next || next.at > moment) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.act();
    }
    this.#now = Math.max(this.#now, moment);
  }

  /** Moves on by so many milliseconds. */
  advance(ms: number): void {
    this.advanceTo(this.#now + ms);
  }
}
