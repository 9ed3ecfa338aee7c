/** What our own side was worth at a moment: one capability, tried on several known-good endpoints. */
import { z } from "zod";
import { Fault } from "../transcript/schema.ts";

/**
 * What a failure can be blamed on that is not the server. `sandbox` is the start of a process,
 * `loopback` this machine's own network, `remotes` the servers of the shard that had passed before:
 * they are known-good endpoints too, and when most of them fail at once, it is not them.
 */
export const Capability = z.enum([
  "dns",
  "ipv4",
  "ipv6",
  "tls",
  "registry",
  "sandbox",
  "loopback",
  "remotes",
]);
export type Capability = z.infer<typeof Capability>;

/** One measurement, raw: whether it passed is counted from its endpoints. */
export const Control = z.strictObject({
  capability: Capability,
  /** When it began. */
  at: z.iso.datetime({ precision: 3 }),
  /** How long it took, in milliseconds. */
  took: z.int().nonnegative(),
  /** How many of the endpoints must answer. */
  needed: z.int().positive(),
  /** Each that was tried; `fault` says why one did not answer. */
  endpoints: z.array(z.strictObject({ endpoint: z.string(), fault: Fault.optional() })).min(1),
});
export type Control = z.infer<typeof Control>;

/** How many endpoints answered. */
export const answered = ({ endpoints }: Control): number =>
  endpoints.filter(({ fault }) => fault === undefined).length;

/** Whether enough of them did. */
export const holds = (control: Control): boolean => answered(control) >= control.needed;

/** More than half: one known-good endpoint that is down proves nothing, and two cannot outvote three. */
export const majorityOf = (count: number): number => Math.floor(count / 2) + 1;
