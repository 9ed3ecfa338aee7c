/**
 * How gently a host is asked: one conversation at a time, and a gap between the requests of all of
 * them. The key is the host; on this machine it is host and port, where each port is a server of its
 * own, and there is no gap, since its owner is the one who asks.
 */
import pLimit, { type LimitFunction } from "p-limit";
import { type Clock, sleepUntil } from "./clock.ts";
import { limit } from "./rules.ts";
import type { Target } from "./transcript/schema.ts";
import { isLoopback } from "./views/network.ts";

/** Waits until the next request may leave. */
export type Pace = () => Promise<void>;

export interface Manners {
  /** Holds conversations with the host, one after the other. */
  readonly queue: LimitFunction;
  /** Undefined where no gap is kept. */
  readonly pace: Pace | undefined;
}

/** The manners towards each host, kept for as long as this function is: over targets and attempts. */
export function mannersAt(clock: Clock): (target: Target) => Manners {
  const hosts = new Map<string, Manners>();
  return (target) => {
    const host = hostOf(target);
    const known = hosts.get(host) ?? { queue: pLimit(1), pace: paceFor(target, clock) };
    hosts.set(host, known);
    return known;
  };
}

/** Keeps the gap between requests to a target's host, from the first one on. */
export function paceFor(target: Target, clock: Clock): Pace | undefined {
  if (target.kind !== "remote" || isLoopback(target.url)) return undefined;
  let next = clock.now();
  return () => {
    const due = Math.max(next, clock.now());
    // Reserved before waiting, so that two that ask at once do not leave at once.
    next = due + limit("host-gap");
    return sleepUntil(clock, due);
  };
}

/** What a politeness queue belongs to: a host, on loopback with its port, or one program. */
function hostOf(target: Target): string {
  if (target.kind !== "remote") return target.key;
  const url = URL.parse(target.url);
  // With a hole where the host or the port belongs it is no address, and nobody is asked there.
  if (!url) return target.key;
  const { host, hostname } = url;
  // A name with its final dot is the same name.
  return isLoopback(target.url) ? host : hostname.replace(/\.$/, "");
}
