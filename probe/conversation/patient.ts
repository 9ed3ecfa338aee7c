/** Does what a busy server asks for: waits as long as it says, where that is short, and asks again. */
import { type Clock, sleep } from "../clock.ts";
import { limit } from "../rules.ts";
import { type Exchange, responseHeader } from "../views/exchanges.ts";
import type { Wire } from "./wire.ts";

/** A wire that repeats a request once after a 429 that names a short time. */
export function patient(wire: Wire, clock: Clock): Wire {
  return {
    ready: () => wire.ready(),
    end: () => wire.end(),
    async request(ask, ms) {
      const answer = await wire.request(ask, ms);
      const wait = waitOf(answer, clock);
      if (wait === undefined) return answer;
      await sleep(clock, wait);
      return wire.request(ask, ms);
    },
  };
}

/** Milliseconds that a 429 asks us to wait (RFC 9110, section 10.2.3); undefined when too many. */
function waitOf(answer: Exchange, clock: Clock): number | undefined {
  const text = answer.response?.status === 429 ? responseHeader(answer, "retry-after") : undefined;
  if (text === undefined) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - clock.now();
  return ms <= limit("retry-after") ? Math.max(ms, 0) : undefined;
}
