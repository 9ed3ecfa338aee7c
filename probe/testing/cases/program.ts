/** A healthy MCP server over stdio, in a process of its own, which a variant makes do something else. */
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Clock } from "../../clock.ts";
import type { Event, Installed } from "../../transcript/schema.ts";
import type { Launch } from "../../transport/stdio.ts";
import type { Ask } from "./case.ts";
import { Counter, filled, healthy, type Payload, reply } from "./healthy.ts";

export interface Program {
  readonly wire: "stdio";
  /** Before anything is read. */
  readonly start?: (pipe: Pipe) => void;
  /** What it does with one message; undefined leaves that to the healthy server. */
  readonly answer?: (ask: Ask, pipe: Pipe) => Said | undefined;
  /** When its input has ended; default: it exits with 0. */
  readonly end?: (pipe: Pipe) => void;
  /** Names of required variables of the listing that nothing fills. */
  readonly missing?: readonly string[];
  /** Which of our own capabilities are broken meanwhile. */
  readonly broken?: readonly string[];
  /** Installs its package, which takes its time; what it returns kept it from being installed. */
  readonly install?: (clock: Clock) => Promise<Failure | undefined>;
}

/** Where installing ended, and the word of the package manager. */
type Failure = Pick<Installed, "step" | "fault">;

/** A payload on a line; or text or bytes as they are, filled (healthy.ts); or `nothing`. */
export type Said = Payload | { readonly raw: string | Uint8Array } | "nothing";

export interface Pipe {
  readonly clock: Clock;
  out(data: string | Uint8Array): void;
  err(data: string | Uint8Array): void;
  exit(code: number): void;
  closeOutput(): void;
  ignoreSignals(): void;
  spinAtEnd(): void;
  leaveOrphan(): void;
}

export type ToRelay =
  | { readonly do: "write"; readonly to: "stdout" | "stderr"; readonly data: string }
  | { readonly do: "exit"; readonly code: number }
  | { readonly do: "close-output" | "ignore-signals" | "spin-at-end" | "leave-orphan" };

export type ToTest =
  | { readonly started: number }
  | { readonly input: string }
  | { readonly end: true }
  | { readonly signal: string }
  | { readonly orphan: number };

export interface Running {
  readonly launch: Launch;
  readonly asked: readonly Ask[];
  /** Process ids of every process that was started. */
  readonly pids: readonly number[];
  readonly onEvent: (event: Event) => void;
  /** Whether bytes are on their way between the two processes. */
  busy(): boolean;
  stop(): Promise<void>;
}

/** Gets one ready to be started, as often as the probe likes. */
export async function attend(program: Program, clock: Clock & { touch(): void }): Promise<Running> {
  const asked: Ask[] = [];
  const pids: number[] = [];
  const counter = new Counter();
  const flow = new Flow();
  const server = createServer((socket) => {
    const pipe = pipeOf(socket, clock, flow);
    const lines = lineReader((line) => {
      const ask = askOf(line, counter, clock);
      asked.push(ask);
      say(program.answer?.(ask, pipe) ?? healthy(ask) ?? "nothing", ask, pipe);
    });
    socket.on("error", () => {});
    createInterface(socket).on("line", (text) => {
      clock.touch();
      const told = JSON.parse(text) as ToTest;
      if ("started" in told) {
        pids.push(told.started);
        flow.started();
        program.start?.(pipe);
      } else if ("orphan" in told) {
        pids.push(told.orphan);
      } else if ("input" in told) {
        const bytes = Buffer.from(told.input, "base64");
        flow.heard(bytes.length);
        lines(bytes);
      } else if ("end" in told) {
        if (program.end) program.end(pipe);
        else pipe.exit(0);
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => sockets.add(socket));
  return {
    launch: {
      argv: [process.execPath, join(import.meta.dirname, "relay.ts"), String(port)],
      shown: ["fixture"],
      cwd: import.meta.dirname,
      environment: { PATH: process.env["PATH"] ?? "" },
    },
    asked,
    pids,
    onEvent: (event) => flow.onEvent(event),
    busy: () => flow.busy(),
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Counts what was sent and what arrived; the difference is on its way, and no clock may jump. */
class Flow {
  #running = false;
  #starting = false;
  #exiting = false;
  #toServer = 0;
  #toProbe = 0;

  onEvent(event: Event): void {
    if (event.type === "spawned") {
      this.#running = event.fault === undefined;
      [this.#starting, this.#exiting] = [event.fault === undefined, false];
      [this.#toServer, this.#toProbe] = [0, 0];
    }
    if (event.type === "sent") this.#toServer += event.data.length;
    if (event.type === "received" && event.channel === "stdout") {
      this.#toProbe -= event.data.length;
    }
    if (event.type === "exited") this.#running = false;
    // What comes over standard error beyond its cap is still read, and replies still follow it.
    const capped = event.type === "capped" && event.channel !== "stderr";
    if (event.type === "exited" || capped || event.type === "broke") {
      [this.#starting, this.#exiting, this.#toServer, this.#toProbe] = [false, false, 0, 0];
    }
  }

  started(): void {
    this.#starting = false;
  }

  heard(bytes: number): void {
    this.#toServer -= bytes;
  }

  said(bytes: number): void {
    this.#toProbe += bytes;
  }

  exits(): void {
    this.#exiting = true;
  }

  busy(): boolean {
    if (!this.#running) return false;
    return this.#starting || this.#exiting || this.#toServer > 0 || this.#toProbe > 0;
  }
}

function pipeOf(socket: Socket, clock: Clock, flow: Flow): Pipe {
  const order = (what: ToRelay): void => void socket.write(`${JSON.stringify(what)}\n`);
  const write = (to: "stdout" | "stderr", data: string | Uint8Array): void => {
    const bytes = Buffer.from(data as string);
    if (to === "stdout") flow.said(bytes.length);
    order({ do: "write", to, data: bytes.toString("base64") });
  };
  return {
    clock,
    out: (data) => write("stdout", data),
    err: (data) => write("stderr", data),
    exit(code) {
      flow.exits();
      order({ do: "exit", code });
    },
    closeOutput: () => order({ do: "close-output" }),
    ignoreSignals: () => order({ do: "ignore-signals" }),
    spinAtEnd: () => order({ do: "spin-at-end" }),
    leaveOrphan: () => order({ do: "leave-orphan" }),
  };
}

function lineReader(onLine: (line: string) => void): (bytes: Buffer) => void {
  let rest = "";
  return (bytes) => {
    const lines = (rest + bytes.toString()).split("\n");
    rest = lines.pop()!;
    for (const line of lines) onLine(line);
  };
}

function askOf(line: string, counter: Counter, clock: Clock): Ask {
  return { ...counter.read(line, clock.now()), http: "", host: "", path: "", headers: {} };
}

function say(said: Said, ask: Ask, pipe: Pipe): void {
  if (said === "nothing") return;
  if (!("raw" in said)) return pipe.out(`${reply(ask.id, said)}\n`);
  pipe.out(typeof said.raw === "string" ? filled(said.raw, ask) : said.raw);
}
