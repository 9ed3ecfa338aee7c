/** One attempt at one target: everything that happens, written down. Nothing is judged here. */
import { type Clock, systemClock } from "./clock.ts";
import { converse } from "./conversation/conversation.ts";
import { Dialogue } from "./conversation/dialogue.ts";
import { PROBE } from "./identity.ts";
import { limit } from "./rules.ts";
import { Recorder } from "./transcript/recorder.ts";
import type { Event, RunKind, Target, Transcript } from "./transcript/schema.ts";
import type { ConnectOptions } from "./transport/connect.ts";
import { documentFetch } from "./transport/document.ts";
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
  const transport = transportFor(target, recorder, clock, options);
  const dialogue = new Dialogue(transport, recorder, clock);
  const cancel = clock.after(limit("target"), () => void transport.close());
  try {
    if (await transport.open()) {
      const fetch =
        target.kind === "remote" ? documentFetch(target.url, recorder, clock, options) : undefined;
      await converse(dialogue, { kind, era, clock, recorder, fetch });
    }
  } finally {
    cancel();
    await transport.close();
  }
  return recorder.transcript();
}

function transportFor(
  target: Target,
  recorder: Recorder,
  clock: Clock,
  options: RecordOptions,
): Transport {
  if (target.kind === "remote") return new StreamableHttp(target.url, recorder, clock, options);
  if (!options.launch) throw new Error(`A ${target.kind} target needs to be told how it starts.`);
  return new Stdio(options.launch, recorder, clock);
}
