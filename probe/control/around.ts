/** Reads what the controls near an attempt say about it. Pure: the same header gives the same word. */
import type { CheckOutcome } from "../observation.ts";
import { limit } from "../rules.ts";
import type { Transcript } from "../transcript/schema.ts";
import { bareHost, isLoopback, isLoopbackHost, network } from "../views/network.ts";
import { eventsOf } from "../views/view.ts";
import { type Capability, type Control, holds } from "./control.ts";

/**
 * Reasons that settle an attempt whatever our network did: the server answered that it wants
 * credentials, or nobody could have given what is missing.
 */
const SETTLED: ReadonlySet<string | undefined> = new Set([
  "auth-required",
  "needs-configuration",
  "needs-service",
]);

/** What the controls around an attempt say: the word for the record, and the one that failed. */
export interface Around {
  readonly word: "passed" | "failed" | "not-measured";
  readonly lost?: Control;
}

/** What the stored controls of a shard say about one attempt, whose own outcomes are given. */
export function around(
  transcript: Transcript,
  outcomes: readonly CheckOutcome[],
  controls: readonly Control[],
): Around {
  const capabilities = suspects(transcript, outcomes);
  if (capabilities.length === 0) return { word: "not-measured" };
  const outage = controls.find((control) => control.capability === "remotes" && !holds(control));
  if (outage && isElsewhere(transcript)) return { word: "failed", lost: outage };
  const near = controls.filter((control) => isNear(control, endOf(transcript)));
  const words = capabilities.map((capability) => wordOf(capability, near));
  // The capabilities are ways to the same server: with one that works it could have been reached.
  return (
    words.find(({ word }) => word === "passed") ??
    words.find(({ word }) => word === "failed") ?? { word: "not-measured" }
  );
}

/**
 * The capabilities of ours that could explain what an attempt met, by how far it got; none when it
 * met nothing that needs an explanation. Several are alternatives: address families that were tried.
 */
export function suspects(
  transcript: Transcript,
  outcomes: readonly CheckOutcome[],
): readonly Capability[] {
  const atOpening = outcomes.filter(({ check }) => check.startsWith("L0."));
  const stop = atOpening.find(({ outcome }) => outcome !== "passed" && outcome !== "inapplicable");
  if (stop) {
    return stop.outcome === "cantTell" || SETTLED.has(stop.reason) ? [] : depth(transcript);
  }
  // A reason on a check that passed: another version of the verdict may read it as a failure.
  if (atOpening.some(({ reason }) => reason !== undefined)) return depth(transcript);
  // Behind the opening only silence and a broken connection can be our network's doing.
  const failed = outcomes.some(({ outcome }) => outcome === "failed");
  return failed && transcript.target.kind === "remote" && fellSilent(transcript)
    ? depth(transcript)
    : [];
}

/** When the last event of an attempt happened, in milliseconds since 1970. */
export function endOf({ startedAt, events }: Transcript): number {
  return Date.parse(startedAt) + (events.at(-1)?.at ?? 0);
}

/** Whether a control began so close to a moment that it speaks for it. */
export function isNear({ at }: Pick<Control, "at">, moment: number): boolean {
  return Math.abs(Date.parse(at) - moment) <= limit("control-window");
}

/** Whether something lies between us and the server: it is neither a process nor on this machine. */
export const isElsewhere = ({ target }: Pick<Transcript, "target">): boolean =>
  target.kind === "remote" && !isLoopback(target.url);

/** The last capability that an attempt used: each of them rests on those before it. */
function depth(transcript: Transcript): readonly Capability[] {
  const { target } = transcript;
  const { resolved, connected, tls, installed, spawned } = network(transcript);
  if (installed?.fault) return ["registry"];
  if (target.kind !== "remote") return spawned ? ["sandbox"] : [];
  if (resolved.length === 0) return [];
  if (isLoopback(target.url)) return ["loopback"];
  if (connected.length === 0) return ["dns"];
  const open = connected.filter(({ fault }) => fault === undefined);
  if (open.length > 0 && (tls.length > 0 || /^https:/i.test(target.url))) return ["tls"];
  const tried = (open.length > 0 ? open : connected).map(({ address }) => familyOf(address));
  return [...new Set(tried)];
}

function familyOf(address: string): Capability {
  if (isLoopbackHost(bareHost(address))) return "loopback";
  return address.includes(":") ? "ipv6" : "ipv4";
}

function fellSilent({ events }: Transcript): boolean {
  const broken = [...eventsOf(events, "connected"), ...eventsOf(events, "tls")];
  return (
    broken.some(({ fault }) => fault !== undefined) ||
    events.some(({ type }) => type === "timed-out" || type === "broke")
  );
}

/** One that failed counts more than any that passed: the doubt is about us. */
function wordOf(capability: Capability, near: readonly Control[]): Around {
  const own = near.filter((control) => control.capability === capability);
  const lost = own.find((control) => !holds(control));
  if (lost) return { word: "failed", lost };
  return { word: own.length > 0 ? "passed" : "not-measured" };
}
