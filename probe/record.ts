/** One attempt at one target: everything that happens, written down. Nothing is judged here. */
import { type Clock, systemClock } from "./clock.ts";
import { lookUpLogin } from "./conversation/auth.ts";
import { type Call, converse } from "./conversation/conversation.ts";
import { Dialogue } from "./conversation/dialogue.ts";
import { mayTryOther, type RemoteTransport, transportsFor } from "./conversation/transports.ts";
import { PROBE } from "./identity.ts";
import { type Pace, paceFor } from "./politeness.ts";
import { limit } from "./rules.ts";
import { Recorder } from "./transcript/recorder.ts";
import type { Event, Installed, RunKind, Target, Transcript } from "./transcript/schema.ts";
import type { ConnectOptions } from "./transport/connect.ts";
import { HttpSse } from "./transport/http-sse.ts";
import { documentFetch, liesOnLoopback } from "./transport/document.ts";
import { type Launch, Stdio } from "./transport/stdio.ts";
import { StreamableHttp } from "./transport/streamable-http.ts";
import type { Transport } from "./transport/transport.ts";

export interface RecordOptions extends ConnectOptions {
  /** `namespace/name` of the listing, where there is one. */
  readonly listing?: string | null;
  readonly kind?: RunKind;
  readonly era?: Transcript["era"];
  /** Over which transport a remote is asked; by default as its listing says, then the other one. */
  readonly transport?: "auto" | RemoteTransport;
  /** 1, 2 or 3. */
  readonly attempt?: number;
  /** Goes no further than the opening, whatever kind of run it belongs to. */
  readonly openingOnly?: boolean;
  readonly clock?: Clock;
  /** Told of every event as it happens, for a person who waits. */
  readonly onEvent?: (event: Event) => void;
  /** A tool to call when all else was asked; its caller vouches that this does no harm. */
  readonly call?: Call | undefined;
  /** Closes the attempt when it aborts; the transcript then ends there. */
  readonly signal?: AbortSignal;
  /** How to start a target that is not a remote: from `sandbox/`. */
  readonly launch?: Launch | undefined;
  /** What installing its package met; when that failed there is nothing to start. */
  readonly installed?: Installed | undefined;
  /** Keeps a gap between requests; default: one that knows this conversation alone. */
  readonly pace?: Pace | undefined;
}

/** Talks to a target once. Never rejects because of what a server does: that is in the transcript. */
export async function record(target: Target, options: RecordOptions = {}): Promise<Transcript> {
  const { listing = null, kind = "full", era = "auto", attempt = 1, clock = systemClock } = options;
  const recorder = new Recorder({ probe: PROBE, listing, target, kind, era, attempt }, clock);
  if (options.onEvent) recorder.listen(options.onEvent);
  if (options.installed) recorder.add("installed", options.installed);
  if (options.installed?.fault) return recorder.transcript();
  // A URL or header with a hole in it reaches nobody's server.
  if (target.kind === "remote" && target.missing.length > 0) return recorder.transcript();
  const over = new AbortController();
  const pace = options.pace ?? paceFor(target, clock);
  const [first, other] = transportsTo(target, recorder, clock, { ...options, pace }, over.signal);
  let transport = first();
  const dialogue = new Dialogue(transport, recorder, clock, pace);
  const how = { kind: options.openingOnly ? ("liveness" as const) : kind, era, call: options.call };
  const end = () => {
    over.abort();
    void transport.close();
  };
  const cancel = clock.after(limit("target"), end);
  options.signal?.addEventListener("abort", end);
  const isOver = () => over.signal.aborted || dialogue.stopped;
  try {
    if (await transport.open()) await converse(dialogue, how);
    if (other && !isOver() && mayTryOther(recorder.transcript())) {
      await transport.close();
      transport = other();
      dialogue.goOnOver(transport);
      if (await transport.open()) await converse(dialogue, how);
    }
    if (target.kind === "remote" && !isOver()) {
      // A document is no message, even if it is written like one.
      dialogue.answerWith(undefined);
      const fetch = documentFetch(liesOnLoopback(recorder), recorder, clock, options);
      await lookUpLogin({
        record: () => recorder.transcript(),
        async fetch(url) {
          await pace?.();
          return fetch(url);
        },
        inTime: () => !over.signal.aborted,
      });
    }
  } finally {
    cancel();
    options.signal?.removeEventListener("abort", end);
    await transport.close();
  }
  return recorder.transcript();
}

type MakeTransport = () => Transport;

/** How to talk to a target; a second way where the first may turn out to be the wrong one. */
function transportsTo(
  target: Target,
  recorder: Recorder,
  clock: Clock,
  options: RecordOptions,
  over: AbortSignal,
): [MakeTransport, MakeTransport?] {
  if (target.kind === "remote") {
    const make = {
      "streamable-http": () => new StreamableHttp(target.url, recorder, clock, options),
      sse: () => new HttpSse(target.url, recorder, clock, options),
    };
    const [first, other] = transportsFor(target, options.era ?? "auto", options.transport);
    return other ? [make[first], make[other]] : [make[first]];
  }
  const { launch } = options;
  if (!launch) throw new Error(`A ${target.kind} target needs to be told how it starts.`);
  return [() => new Stdio(launch, recorder, clock, over)];
}
