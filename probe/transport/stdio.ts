/** Standard input and output of a process: one JSON message a line. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { type Clock, sleep } from "../clock.ts";
import { limit } from "../rules.ts";
import type { Recorder } from "../transcript/recorder.ts";
import { passedLimit } from "./caps.ts";
import { end, signal, strayed } from "./family.ts";
import { faultOf } from "./fault.ts";
import type { Outgoing, Transport } from "./transport.ts";

/** A process ready to be started. */
export interface Launch {
  readonly argv: readonly [string, ...string[]];
  /** The command line as the record shows it, without folders of this machine. */
  readonly shown: readonly string[];
  /** Working directory. */
  readonly cwd: string;
  /** The whole environment: nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const LINE_FEED = 0x0a;

/** How long the pipes of an ended process may take to run dry; a grandchild can hold them for ever. */
const DRAIN_MS = 250;

export class Stdio implements Transport {
  readonly kind = "stdio";
  readonly #launch: Launch;
  readonly #recorder: Recorder;
  readonly #clock: Clock;
  readonly #over: AbortSignal | undefined;
  #child: Child | undefined;
  #closing: Promise<void> | undefined;
  #exited: Promise<void> = Promise.resolve();
  #running = false;
  #readable = false;
  /** Bytes that came over stdout, of all processes of the attempt. */
  #total = 0;

  /** Once `over` aborts, no further process is started. */
  constructor(launch: Launch, recorder: Recorder, clock: Clock, over?: AbortSignal) {
    this.#launch = launch;
    this.#recorder = recorder;
    this.#clock = clock;
    this.#over = over;
  }

  get alive(): boolean {
    return this.#running && this.#readable;
  }

  /** Starts the process; after `close` a fresh one, under the same transcript. */
  async open(): Promise<boolean> {
    if (this.#over?.aborted) return false;
    const { argv, shown, cwd, environment } = this.#launch;
    const started = { argv: [...shown], environment: Object.keys(environment).sort() };
    const child = spawn(argv[0], argv.slice(1), {
      cwd,
      env: { ...environment },
      stdio: ["pipe", "pipe", "pipe"],
      // A process group of its own, so that everything it starts can be ended with it.
      detached: true,
    });
    const fault = await new Promise<unknown>((resolve) => {
      child.once("spawn", () => resolve(undefined)).once("error", resolve);
    });
    if (fault !== undefined) {
      this.#recorder.add("spawned", { ...started, fault: faultOf(fault) });
      return false;
    }
    this.#child = child;
    this.#running = true;
    this.#readable = true;
    this.#recorder.add("spawned", started);
    this.#listen(child);
    return true;
  }

  send(outgoing: Outgoing): number {
    const exchange = this.#recorder.nextExchange();
    const data = Buffer.from(`${outgoing.body}\n`);
    const { purpose } = outgoing;
    this.#recorder.add("sent", { exchange, purpose, replies: "stdout", data });
    const broke = (error: unknown) =>
      this.#recorder.add("broke", { exchange, fault: faultOf(error) });
    if (!this.#child || !this.#running) {
      broke(Object.assign(new Error("the process has ended"), { code: "EPIPE" }));
    } else {
      this.#child.stdin.write(data, (error) => error && broke(error));
    }
    return exchange;
  }

  /** A pipe goes on; there is nothing to cut. */
  release(): void {}

  /** Whoever closes while another does waits for the same end. */
  close(): Promise<void> {
    this.#closing ??= this.#close().finally(() => (this.#closing = undefined));
    return this.#closing;
  }

  async #close(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    this.#child = undefined;
    // A process that closed its output is most likely ending: then its end is its own.
    if (this.#running && !this.#readable) await this.#exitedWithin(DRAIN_MS);
    const group = -child.pid!;
    // Asked before it ends: an orphan does not tell whose it was.
    const others = strayed(child.pid!);
    if (this.#running) {
      this.#recorder.add("stopping", { by: "stdin" });
      child.stdin.end();
      for (const by of ["SIGTERM", "SIGKILL"] as const) {
        if (await this.#exitedWithin(limit("stdin-closed"))) break;
        this.#recorder.add("stopping", { by });
        signal(group, by);
      }
      await this.#exited;
    }
    // Whatever it started and left behind goes with it.
    signal(group, "SIGKILL");
    end(others);
    for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy();
  }

  #listen(child: Child): void {
    // Writing to a process that has ended raises EPIPE here as well as in the write's callback.
    child.stdin.on("error", () => {});
    this.#readStdout(child);
    let kept = 0;
    child.stderr.on("data", (chunk: Buffer) => {
      // Drained for ever, or the server would block on a full pipe; kept up to the limit.
      const part = chunk.subarray(0, limit("stderr") - kept);
      kept += part.length;
      if (part.length > 0) this.#recorder.received("stderr", part);
      if (part.length > 0 && kept === limit("stderr")) {
        this.#recorder.add("capped", { channel: "stderr", limit: limit("stderr") });
      }
    });
    const dry = new Promise<void>((resolve) => child.once("close", () => resolve()));
    this.#exited = new Promise((resolve) => {
      child.once("exit", (code, signal) => {
        const drained = Promise.race([dry, sleep(this.#clock, DRAIN_MS)]);
        void drained.then(() => {
          this.#running = false;
          this.#recorder.add("exited", { code, signal });
          resolve();
        });
      });
    });
  }

  #readStdout(child: Child): void {
    let sinceLineFeed = 0;
    let over = false;
    child.stdout.on("data", (chunk: Buffer) => {
      if (over) return;
      this.#recorder.received("stdout", chunk);
      const last = chunk.lastIndexOf(LINE_FEED);
      sinceLineFeed = last < 0 ? sinceLineFeed + chunk.length : chunk.length - last - 1;
      this.#total += chunk.length;
      const passed = passedLimit(sinceLineFeed, this.#total);
      if (passed !== undefined) {
        over = true;
        this.#readable = false;
        this.#recorder.add("capped", { channel: "stdout", limit: passed });
      }
    });
    child.stdout.on("end", () => {
      this.#readable = false;
      if (!over) this.#recorder.add("ended", { channel: "stdout" });
    });
  }

  #exitedWithin(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(ms, () => resolve(false));
      void this.#exited.then(() => {
        cancel();
        resolve(true);
      });
    });
  }
}
