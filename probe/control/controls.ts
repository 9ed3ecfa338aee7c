/**
 * The control checks of one machine: made near an attempt that something of ours could explain,
 * shared by attempts that end together, and never made while nothing fails.
 */
import type { Clock } from "../clock.ts";
import { checks } from "../checks/index.ts";
import { evaluate } from "../evaluate.ts";
import { controlEndpoints, type Endpoint } from "../rules.ts";
import type { Transcript } from "../transcript/schema.ts";
import type { ConnectOptions } from "../transport/connect.ts";
import { endOf, isNear, suspects } from "./around.ts";
import { type Capability, type Control, majorityOf } from "./control.ts";
import { type Prepare, type Trial, tryEndpoint, tryLoopback, trySandbox } from "./measure.ts";
import { type AskRegistry, tryRegistry } from "./registry.ts";

export interface ControlsOptions extends ConnectOptions {
  readonly clock: Clock;
  /** Starts our own server as the servers of packages are started. */
  readonly prepare: Prepare;
  /** Known-good endpoints; default: those of `rules/control.json`. */
  readonly endpoints?: readonly Endpoint[] | undefined;
  /** Asks the registry for a package that is known to be there; default: as npm is set up here. */
  readonly askRegistry?: AskRegistry | undefined;
}

interface Running {
  /** When it began, ISO 8601 in UTC. */
  readonly at: string;
  readonly done: Promise<void>;
}

export class Controls {
  readonly #options: ControlsOptions;
  readonly #made: Control[] = [];
  /** The newest control of each capability, finished or not. */
  readonly #newest = new Map<Capability, Running>();

  constructor(options: ControlsOptions) {
    this.#options = options;
  }

  /** Every control so far, by the time it began. */
  get made(): readonly Control[] {
    return this.#made.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  }

  /** Sees to it that what could explain an attempt was tried near it. */
  async around(transcript: Transcript): Promise<void> {
    const outcomes = evaluate(transcript, { checks, facts: [] }).checks;
    await Promise.all(
      suspects(transcript, outcomes).map((capability) => this.#near(capability, transcript)),
    );
  }

  async #near(capability: Capability, transcript: Transcript): Promise<void> {
    const newest = this.#newest.get(capability);
    if (newest && isNear(newest, endOf(transcript))) return newest.done;
    const began = this.#options.clock.now();
    const at = new Date(began).toISOString();
    const done = this.#measure(capability, at, began);
    this.#newest.set(capability, { at, done });
    return done;
  }

  async #measure(capability: Capability, at: string, began: number): Promise<void> {
    const trials = await this.#try(capability);
    // With nothing to try it on there is no control, and so no verdict that would need one.
    if (trials.length === 0) return;
    const took = this.#options.clock.now() - began;
    // One of the two families is enough: many machines have only one.
    const needed = capability === "loopback" ? 1 : majorityOf(trials.length);
    this.#made.push({ capability, at, took, needed, endpoints: [...trials] });
  }

  async #try(capability: Capability): Promise<readonly Trial[]> {
    const { clock, prepare, endpoints = controlEndpoints, askRegistry } = this.#options;
    switch (capability) {
      case "sandbox":
        return [await trySandbox(clock, prepare)];
      case "loopback":
        return tryLoopback(clock);
      case "registry":
        return tryRegistry(clock, askRegistry);
      default: {
        const own = endpoints.filter((endpoint) => endpoint.capability === capability);
        return Promise.all(own.map((endpoint) => tryEndpoint(endpoint, clock, this.#options)));
      }
    }
  }
}
