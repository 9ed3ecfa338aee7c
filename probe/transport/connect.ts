/**
 * Opens connections for HTTP and writes down what was met on the way: the name, every address tried,
 * the TLS handshake. The name is resolved once, each address is checked, and the connection goes to a
 * checked address. One connector serves one origin; a redirect or a look-up elsewhere gets its own.
 */
import { connect as connectTcp, type Socket } from "node:net";
import type { Clock } from "../clock.ts";
import { limit } from "../rules.ts";
import type { Recorder } from "../transcript/recorder.ts";
import { faultOf } from "./fault.ts";
import { type Resolve, resolveGuarded, systemResolve } from "./guard.ts";
import { handshake, readiness } from "./handshake.ts";

export interface ConnectOptions {
  /** Lets loopback addresses through: for tests, and for authors who check a server of their own. */
  readonly allowLoopback?: boolean;
  readonly resolve?: Resolve;
  /** Trusted certificate authorities in PEM, instead of those that Node ships. */
  readonly ca?: string;
}

interface Dialled {
  readonly connection: number;
  readonly socket: Socket;
}

export class Connector {
  readonly #url: URL;
  readonly #recorder: Recorder;
  readonly #clock: Clock;
  readonly #options: ConnectOptions;
  /** Every socket that is not closed yet. */
  readonly #sockets = new Set<Socket>();
  #addresses: Promise<readonly string[]> | undefined;
  /** The address that answered last; it is dialled first the next time. */
  #proven: string | undefined;
  #closed = false;

  constructor(url: URL, recorder: Recorder, clock: Clock, options: ConnectOptions) {
    this.#url = url;
    this.#recorder = recorder;
    this.#clock = clock;
    this.#options = options;
  }

  /** The address of the last connection; undefined while there was none. */
  get address(): string | undefined {
    return this.#proven;
  }

  /** A connection that may be written to; undefined when there is none, and the record says why. */
  async connect(): Promise<Socket | undefined> {
    this.#addresses ??= this.#resolve();
    const dialled = await this.#race(await this.#addresses);
    if (!dialled) return undefined;
    const ready = this.#url.protocol === "https:" ? await this.#secure(dialled) : dialled.socket;
    if (!this.#closed) return ready;
    ready?.destroy();
    return undefined;
  }

  /** Destroys every connection; nothing is written down any more. */
  close(): void {
    this.#closed = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  async #resolve(): Promise<readonly string[]> {
    const host = this.#url.hostname;
    const { resolve = systemResolve, allowLoopback = false } = this.#options;
    try {
      const addresses = await this.#inTime(resolveGuarded(host, resolve, allowLoopback));
      if (this.#closed) return [];
      this.#recorder.add("resolved", { host, addresses });
      return interleave(addresses.filter(({ allowed }) => allowed));
    } catch (error) {
      if (!this.#closed)
        this.#recorder.add("resolved", { host, addresses: [], fault: faultOf(error) });
      return [];
    }
  }

  /** The resolver of the system knows no deadline of ours. */
  #inTime<T>(found: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const ms = limit("resolve");
      const cancel = this.#clock.after(ms, () =>
        reject(Object.assign(new Error(`no answer after ${ms} ms`), { code: "ETIMEOUT" })),
      );
      found.then(resolve, reject).finally(cancel);
    });
  }

  /**
   * Dials the addresses one after another, each a moment after the one before, all within the time
   * of one (RFC 8305): an address that is dead does not hold up one that is alive.
   */
  #race(addresses: readonly string[]): Promise<Dialled | undefined> {
    const proven = addresses.filter((address) => address === this.#proven);
    const waiting = [...new Set([...proven, ...addresses])];
    const running = new Set<Socket>();
    const until = this.#clock.now() + limit("connect");
    return new Promise((resolve) => {
      let stopWaiting = (): void => {};
      let over = false;
      const finish = (dialled: Dialled | undefined): void => {
        over = true;
        stopWaiting();
        for (const socket of running) socket.destroy(TOO_LATE);
        resolve(dialled);
      };
      const next = (): void => {
        stopWaiting();
        if (over) return;
        const address = this.#closed ? undefined : waiting.shift();
        if (address === undefined) {
          if (running.size === 0) finish(undefined);
          return;
        }
        const dial = this.#dial(address, until - this.#clock.now());
        running.add(dial.socket);
        void dial.opened.then((opened) => {
          running.delete(dial.socket);
          if (over) return;
          if (!opened) return next();
          this.#proven = address;
          finish({ connection: dial.connection, socket: dial.socket });
        });
        if (waiting.length > 0) stopWaiting = this.#clock.after(limit("connect-stagger"), next);
      };
      next();
    });
  }

  #dial(address: string, ms: number): Dialled & { readonly opened: Promise<boolean> } {
    const connection = this.#recorder.nextConnection();
    const port = Number(this.#url.port) || (this.#url.protocol === "https:" ? 443 : 80);
    const start = this.#clock.now();
    const socket = connectTcp({ host: address, port, noDelay: true });
    this.#keep(socket);
    const opened = readiness(socket, "connect", ms, this.#clock).then((fault) => {
      if (this.#closed) return false;
      const took = this.#clock.now() - start;
      this.#recorder.add("connected", { connection, address, port, took, ...(fault && { fault }) });
      return fault === undefined;
    });
    return { connection, socket, opened };
  }

  /** Shakes hands over TLS; an untrusted certificate is written down and the socket is not used. */
  async #secure({ connection, socket }: Dialled): Promise<Socket | undefined> {
    const host = this.#url.hostname;
    const { secure, ...met } = await handshake(socket, host, this.#clock, this.#options.ca);
    this.#keep(secure);
    if (!this.#closed) this.#recorder.add("tls", { connection, host, ...met });
    if (!met.fault) return secure;
    secure.destroy();
    return undefined;
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
  }
}

/** Why a connection that another one overtook was given up. */
const TOO_LATE = Object.assign(new Error("another address was faster"), { code: "ECANCELED" });

/** The addresses with their families in turns, in the order of the resolver otherwise. */
function interleave(addresses: readonly { address: string; family: 4 | 6 }[]): readonly string[] {
  const first = addresses.filter(({ family }) => family === addresses[0]!.family);
  const second = addresses.filter(({ family }) => family !== addresses[0]!.family);
  return addresses.flatMap((_, index) =>
    [first[index], second[index]].flatMap((entry) => entry?.address ?? []),
  );
}
