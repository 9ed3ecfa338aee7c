/** From what a person typed to the transcripts of one or more attempts. */
import { isIP } from "node:net";
import { attemptsAt } from "../attempts.ts";
import { systemClock } from "../clock.ts";
import type { Control } from "../control/control.ts";
import { Controls } from "../control/controls.ts";
import { UsageError } from "../errors.ts";
import { record } from "../record.ts";
import { notInstalled } from "../sandbox/npm.ts";
import { prepareTrusted } from "../sandbox/trusted.ts";
import type { Target, Transcript } from "../transcript/schema.ts";
import { isAllowed } from "../transport/guard.ts";
import { hostOf, isLoopback, network } from "../views/network.ts";
import { wordsFor } from "./progress.ts";
import { type Named, parseTarget } from "./target.ts";
import { visible } from "./visible.ts";

export interface ProbeFlags {
  readonly era: Transcript["era"];
  readonly transport: "auto" | "streamable-http" | "sse";
  readonly liveness?: boolean;
  readonly allowLoopback?: boolean;
  readonly trust?: boolean;
  /** `NAME=VALUE` for the environment of a process. */
  readonly env?: readonly string[];
  /** How often an opening that fails is tried; default once. */
  readonly attempts?: number;
  /** Ends the attempt when it aborts; nothing that was started is left. */
  readonly signal?: AbortSignal;
}

export interface Probed {
  /** In order, at least one. */
  readonly attempts: readonly Transcript[];
  readonly control: readonly Control[];
}

/** Probes the named server. Throws a UsageError for what only its user can put right. */
export async function probe(
  server: Named,
  flags: ProbeFlags,
  say: (words: string) => void,
): Promise<Probed> {
  const environment = environmentOf(flags.env ?? []);
  if (server.words[0]?.startsWith("npm:")) demandTrust(server.words[0], flags.trust ?? false);
  const target = over(await parseTarget(server), flags);
  flags.signal?.throwIfAborted();
  const options = {
    ...(flags.signal && { signal: flags.signal }),
    era: flags.era,
    kind: flags.liveness ? ("liveness" as const) : ("full" as const),
    onEvent: (event: Transcript["events"][number]) => {
      const what = wordsFor(event);
      if (what !== undefined) say(what);
    },
  };
  if (target.kind === "remote") {
    const allowLoopback = flags.allowLoopback ?? false;
    refuseAddress(target.url, allowLoopback);
    refuseEnvironment(flags.env ?? []);
    const { transport } = flags;
    const once = async (attempt: number) => {
      const transcript = await record(target, { ...options, attempt, allowLoopback, transport });
      if (attempt === 1) refuseUnknownHost(transcript);
      return transcript;
    };
    return repeatedly(once, target, flags, say);
  }
  say(`preparing ${visible(target.key)}`);
  const { launch, installed, cleanup } = await prepareTrusted(target);
  try {
    flags.signal?.throwIfAborted();
    if (!launch) throw notInstalled(nameOf(target), installed?.fault);
    // Given to the process alone: a record names variables, but never keeps their values.
    const given = { ...launch, environment: { ...launch.environment, ...environment } };
    const once = async (attempt: number) => {
      const transcript = await record(target, { ...options, attempt, launch: given, installed });
      if (attempt === 1) refuseUnknownCommand(transcript);
      return transcript;
    };
    return await repeatedly(once, target, flags, say);
  } finally {
    await cleanup();
  }
}

const nameOf = (target: Exclude<Target, { kind: "remote" }>): string =>
  visible(target.kind === "package" ? `${target.identifier}@${target.version}` : target.key);

/** One attempt says how it went; only several, with control checks beside them, can say dead. */
async function repeatedly(
  once: (attempt: number) => Promise<Transcript>,
  { key }: Target,
  { attempts: most = 1 }: ProbeFlags,
  say: (words: string) => void,
): Promise<Probed> {
  const clock = systemClock;
  const controls = new Controls({ clock, prepare: (target) => prepareTrusted(target) });
  const attempts = await attemptsAt(once, {
    clock,
    repeat: "current",
    most,
    ...(most > 1 && { control: (transcript) => controls.around(transcript) }),
    onWait(due) {
      const time = new Date(due).toLocaleTimeString("en-GB");
      say(`no opening; trying ${visible(key)} again at ${time}`);
    },
  });
  return { attempts, control: controls.made };
}

/** The target over the transport that was asked for. */
function over(target: Target, { transport, era }: ProbeFlags): Target {
  if (transport === "auto") return target;
  if (target.kind !== "remote") {
    throw new UsageError("A process speaks over stdio; --transport is for URLs.");
  }
  if (transport === "sse" && era === "modern") {
    throw new UsageError("Version 2026-07-28 knows no HTTP+SSE; leave --era or --transport out.");
  }
  return { ...target, transport };
}

function refuseAddress(url: string, allowLoopback: boolean): void {
  const host = hostOf(url);
  if (isLoopback(url)) {
    if (allowLoopback) return;
    throw new UsageError(
      `${url} is on this machine, and the probe dials public addresses only. To check a server of your own add --allow-loopback.`,
    );
  }
  if (isIP(host) === 0 || isAllowed(host, allowLoopback)) return;
  throw new UsageError(
    `${host} is no public address, and the probe dials no other. Name the server's public address, or run it on this machine and add --allow-loopback.`,
  );
}

function refuseEnvironment(pairs: readonly string[]): void {
  if (pairs.length === 0) return;
  throw new UsageError(
    "--env sets a variable of a process, and a URL names none. Leave it out: the probe sends no credentials.",
  );
}

function demandTrust(spec: string, trust: boolean): void {
  if (trust) return;
  throw new UsageError(
    `${visible(spec)} would run on this machine without a sandbox: with your rights it can read your files and use your network. If you trust the package and all it depends on, add --trust.`,
  );
}

function environmentOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value] = /^([A-Za-z_]\w*)=([^]*)$/.exec(pair) ?? [];
      if (name !== undefined && value !== undefined) return [name, value];
      throw new UsageError(`"${visible(pair)}" sets no variable. Write --env NAME=VALUE.`);
    }),
  );
}

function refuseUnknownHost(transcript: Transcript): void {
  const { resolved, connected } = network(transcript);
  const fault = resolved[0]?.fault;
  if (!fault || connected.length > 0) return;
  throw new UsageError(
    `The host ${visible(resolved[0]!.host)} cannot be found (${fault.code}). Check its spelling, and that this machine can look names up.`,
  );
}

function refuseUnknownCommand(transcript: Transcript): void {
  const spawned = network(transcript).spawned;
  if (!spawned?.fault) return;
  throw new UsageError(
    `${visible(spawned.argv[0]!)} cannot be started (${spawned.fault.code}). Check the command and that it is on PATH.`,
  );
}
