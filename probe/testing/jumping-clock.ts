/**
 * A clock for tests that never wait: when nothing has happened for a moment it jumps to its next
 * timer. Probe and test server share one, so a deadline of ten seconds takes a few milliseconds and
 * is still the product's own deadline. Between jumps its time passes as it does outside, so that
 * what never falls quiet reaches its deadlines too.
 */
import { setImmediate as turn, setTimeout as pause } from "node:timers/promises";
import type { Clock } from "../clock.ts";

interface Timer {
  readonly at: number;
  readonly act: () => void;
}

/**
 * Rounds of the event loop without any sign of life after which the sockets count as quiet. What a
 * peer in this process wrote is readable in the next round; a TLS handshake takes four of them, and
 * the work of a thread (decoding, files) some milliseconds.
 */
const QUIET_ROUNDS = 12;
const ROUND_MS = 2;

export class JumpingClock implements Clock {
  #timers: Timer[] = [];
  /** How far the jumps have brought us ahead of real time. */
  #ahead: number;
  /** Counts signs of life. Whoever asks for the time is about to do something. */
  #signs = 0;
  #pumping = false;
  readonly #busy: (() => boolean)[] = [];

  constructor(start = Date.UTC(2026, 11, 1)) {
    this.#ahead = start - performance.now();
  }

  now(): number {
    this.#signs += 1;
    return Math.round(this.#time());
  }

  after(ms: number, act: () => void): () => void {
    const timer = { at: this.now() + ms, act };
    this.#timers.push(timer);
    void this.#pump();
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer);
    };
  }

  /** A sign of life: whatever was about to be over is not. */
  touch(): void {
    this.#signs += 1;
  }

  /** No jump while `busy` is true: for what goes on outside this process. */
  holdWhile(busy: () => boolean): void {
    this.#busy.push(busy);
  }

  #time(): number {
    return performance.now() + this.#ahead;
  }

  async #pump(): Promise<void> {
    if (this.#pumping) return;
    this.#pumping = true;
    let [quiet, seen] = [0, this.#signs];
    for (let next = this.#next(); next; next = this.#next()) {
      if (next.at <= this.#time()) {
        this.#timers = this.#timers.filter((each) => each !== next);
        next.act();
        quiet = 0;
      } else if (quiet >= QUIET_ROUNDS) {
        this.#ahead += next.at - this.#time();
      } else {
        await turn();
        await pause(ROUND_MS);
        const calm = this.#signs === seen && !this.#busy.some((busy) => busy());
        quiet = calm ? quiet + 1 : 0;
        seen = this.#signs;
      }
    }
    this.#pumping = false;
  }

  /** The earliest timer; of several for one moment the one that was set first. */
  #next(): Timer | undefined {
    return this.#timers.reduce<Timer | undefined>(
      (first, each) => (first && first.at <= each.at ? first : each),
      undefined,
    );
  }
}
