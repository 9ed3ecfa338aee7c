/** One attempt at one target: everything that happens, written down. Nothing is judged here. */
import { type Clock, systemClock } from "./clock.ts";
import { converse } from "./conversation/conversation.ts";
import { Dialogue } from "./conversation/dialogue.ts";
import { PROBE } from "./identity.ts";
import { limit } from "./rules.ts";
import { Recorder } from "./transcript/recorder.ts";
import type { Event, RunKind, Target, Transcript } from "./transcript/schema.ts";
import type { ConnectOptions } from "./transport/connect.ts";
import { type Launch, Stdio } from "./transport/stdio.ts";
import { StreamableHttp } from "./transport/streamable-http.ts";
import type { Transport } from "./transport/transport.ts";

export interface RecordOptions extends ConnectOptions {
  /** `namespace/name` of the listing, where there is one. */
  readonly listing?: string | null;
  readonly kind?: RunKind;
  readonly era?: Transcript["era"];
  /** 1, 2 or 3. */
  readonly attempt?: number;
  readonly clock?: Clock;
  /** Told of every event as it happens, for a person who waits. */
  readonly onEvent?: (event: Event) => void;
  /** Closes the attempt when it aborts; the transcript then ends there. */
  readonly signal?: AbortSignal;
  /** How to start a target that is not a remote: from `sandbox/`. */
  readonly launch?: Launch;
}

/** Talks to a target once. Never rejects because of what a server does: that is in the transcript. */
export async function record(target: Target, options: RecordOptions = {}): Promise<Transcript> {
  const { listing = null, kind = "full", era = "auto", attempt = 1, clock = systemClock } = options;
  const recorder = new Recorder({ probe: PROBE, listing, target, kind, era, attempt }, clock);
  if (options.onEvent) recorder.listen(options.onEvent);
  // A URL or header with a hole in it reaches nobody's server.
  if (target.kind === "remote" && target.missing.length > 0) return recorder.transcript();
  const over = new AbortController();
  const transport = transportFor(target, recorder, clock, options, over.signal);
  const dialogue = new Dialogue(transport, recorder, clock);
  const end = () => {
    over.abort();
    void transport.close();
  };
  const cancel = clock.after(limit("target"), end);
  options.signal?.addEventListener("abort", end);
  try {
    if (await transport.open()) await converse(dialogue, { kind, era });
  } finally {
    cancel();
    options.signal?.removeEventListener("abort", end);
    await transport.close();
  }
  return recorder.transcript();
}

function transportFor(
  target: Target,
  recorder: Recorder,
  clock: Clock,
  options: RecordOptions,
  over: AbortSignal,
): Transport {
  if (target.kind === "remote") return new StreamableHttp(target.url, recorder, clock, options);
  if (!options.launch) throw new Error(`A ${target.kind} target needs to be told how it starts.`);
  return new Stdio(options.launch, recorder, clock, over);
}
