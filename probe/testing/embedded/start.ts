/** Starts the embedded servers that listen on ports, and stops exactly those. */
import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startListener, stopListener } from "./listener.ts";
import { type Listener, listings, type Ports, type ServerJson } from "./listings.ts";

export interface Embedded {
  readonly listings: readonly ServerJson[];
  /** Give them to the next start, and its targets keep their URLs. */
  readonly ports: Ports;
  /** Ends the servers and resolves when they are gone; calling it twice does no harm. */
  stop(): Promise<void>;
}

export interface Options {
  /** Ends the servers when it aborts, also while they start. */
  readonly signal?: AbortSignal;
  /** Ports to try first. */
  readonly ports?: Partial<Ports>;
}

const EVERYTHING = import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js");

const PROGRAMS: Readonly<Record<Listener, readonly string[]>> = {
  everything: [fileURLToPath(EVERYTHING), "streamableHttp"],
  "everything-sse": [fileURLToPath(EVERYTHING), "sse"],
  "both-eras": [join(import.meta.dirname, "both-eras.ts")],
  "modern-only": [join(import.meta.dirname, "modern-only.ts")],
};

/** Resolves when every server listens. UsageError, and nothing left behind, when one does not. */
export async function startEmbedded({ signal, ports = {} }: Options = {}): Promise<Embedded> {
  const children: ChildProcess[] = [];
  const kill = () => children.forEach((child) => child.kill("SIGKILL"));
  const stop = async () => {
    await Promise.all(children.map(stopListener));
    process.off("exit", kill);
    signal?.removeEventListener("abort", kill);
  };
  const start = (name: Listener) => {
    signal?.throwIfAborted();
    return startListener({ name, argv: PROGRAMS[name] }, ports[name] ?? 0, children);
  };
  process.on("exit", kill);
  signal?.addEventListener("abort", kill);
  try {
    const started: Ports = {
      everything: await start("everything"),
      "everything-sse": await start("everything-sse"),
      "both-eras": await start("both-eras"),
      "modern-only": await start("modern-only"),
    };
    signal?.throwIfAborted();
    return { listings: listings(started), ports: started, stop };
  } catch (error) {
    await stop();
    throw signal?.aborted ? signal.reason : error;
  }
}
