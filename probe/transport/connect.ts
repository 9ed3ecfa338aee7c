/**
 * Opens connections for HTTP and writes down what was met on the way: the name, every address tried,
 * the TLS handshake. The name is resolved once, the address is checked, and the connection goes to
 * the checked address.
 */
import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls, type PeerCertificate, type TLSSocket } from "node:tls";
import { isIP } from "node:net";
import type { Clock } from "../clock.ts";
import { limit } from "../rules.ts";
import type { Recorder } from "../transcript/recorder.ts";
import type { EventOf } from "../transcript/schema.ts";
import { type Fault, faultOf } from "./fault.ts";
import { type Resolve, resolveGuarded, systemResolve } from "./guard.ts";

export interface ConnectOptions {
  /** Lets loopback addresses through: for tests, and for authors who check a server of their own. */
  readonly allowLoopback?: boolean;
  readonly resolve?: Resolve;
  /** Trusted certificate authorities in PEM, instead of those that Node ships. */
  readonly ca?: string;
}

type Certificate = EventOf<"tls">["chain"][number];

export class Connector {
  readonly #url: URL;
  readonly #recorder: Recorder;
  readonly #clock: Clock;
  readonly #options: ConnectOptions;
  #addresses: Promise<string[]> | undefined;
  /** What is being dialled right now. */
  readonly #dialling = new Set<Socket>();
  #closed = false;

  constructor(url: URL, recorder: Recorder, clock: Clock, options: ConnectOptions) {
    this.#url = url;
    this.#recorder = recorder;
    this.#clock = clock;
    this.#options = options;
  }

  /** A connection that may be written to; undefined when there is none, and the record says why. */
  async connect(): Promise<Socket | undefined> {
    this.#addresses ??= this.#resolve();
    const addresses = await this.#addresses;
    for (const address of addresses) {
      if (this.#closed) return undefined;
      const connection = this.#recorder.nextConnection();
      const socket = await this.#dial(connection, address, addresses.length);
      if (socket)
        return this.#url.protocol === "https:" ? this.#secure(connection, socket) : socket;
    }
    return undefined;
  }

  /** Leaves off dialling, and writes nothing down about it any more. */
  close(): void {
    this.#closed = true;
    for (const socket of this.#dialling) socket.destroy();
  }

  async #resolve(): Promise<string[]> {
    const host = this.#url.hostname;
    const { resolve = systemResolve, allowLoopback = false } = this.#options;
    try {
      const addresses = await resolveGuarded(host, resolve, allowLoopback);
      if (this.#closed) return [];
      this.#recorder.add("resolved", { host, addresses });
      return addresses.filter(({ allowed }) => allowed).map(({ address }) => address);
    } catch (error) {
      if (this.#closed) return [];
      this.#recorder.add("resolved", { host, addresses: [], fault: faultOf(error) });
      return [];
    }
  }

  /** Opens TCP. Several addresses share the time that one would have. */
  async #dial(connection: number, address: string, among: number): Promise<Socket | undefined> {
    const port = Number(this.#url.port) || (this.#url.protocol === "https:" ? 443 : 80);
    const start = this.#clock.now();
    const socket = connectTcp({ host: address, port, noDelay: true });
    const ms = Math.round(limit("connect") / among);
    const fault = await this.#outcome(socket, "connect", ms);
    if (this.#closed) {
      socket.destroy();
      return undefined;
    }
    const took = this.#clock.now() - start;
    this.#recorder.add("connected", { connection, address, port, took, ...(fault && { fault }) });
    return fault ? undefined : socket;
  }

  /** Shakes hands over TLS; an untrusted certificate is written down and the socket is not used. */
  async #secure(connection: number, socket: Socket): Promise<Socket | undefined> {
    const host = this.#url.hostname;
    const bare = host.replace(/^\[|\]$/g, "");
    const start = this.#clock.now();
    const secure = connectTls({
      socket,
      // What the certificate must name. An address is never announced (RFC 6066, section 3).
      host: bare,
      ...(isIP(bare) ? {} : { servername: bare }),
      ALPNProtocols: ["http/1.1"],
      // The handshake is to be seen to its end; `authorized` below decides.
      rejectUnauthorized: false,
      ...(this.#options.ca === undefined ? {} : { ca: this.#options.ca }),
    });
    const broken = await this.#outcome(secure, "secureConnect", limit("connect"));
    if (this.#closed) {
      secure.destroy();
      return undefined;
    }
    const fault = broken ?? untrusted(secure);
    this.#recorder.add("tls", {
      connection,
      host,
      took: this.#clock.now() - start,
      protocol: broken ? null : secure.getProtocol(),
      chain: broken ? [] : chainOf(secure.getPeerCertificate(true)),
      ...(fault && { fault }),
    });
    if (!fault) return secure;
    secure.destroy();
    return undefined;
  }

  /** Waits for a socket's event; returns what went wrong instead, and destroys the socket then. */
  #outcome(socket: Socket, ready: string, ms: number): Promise<Fault | undefined> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(ms, () =>
        socket.destroy(Object.assign(new Error(`nothing after ${ms} ms`), { code: "ETIMEDOUT" })),
      );
      this.#dialling.add(socket);
      const settle = (fault?: Fault) => {
        cancel();
        this.#dialling.delete(socket);
        socket.off(ready, onReady).off("close", onClose);
        resolve(fault);
      };
      const onReady = () => settle();
      const onClose = () => settle({ code: "ECONNRESET", message: "closed by the server" });
      // The listener stays: an error on a socket that nobody listens to ends the process.
      socket.on("error", (error) => settle(faultOf(error)));
      socket.once(ready, onReady).once("close", onClose);
    });
  }
}

function untrusted(socket: TLSSocket): Fault | undefined {
  if (socket.authorized) return undefined;
  const reason: unknown = socket.authorizationError;
  if (reason instanceof Error) return faultOf(reason);
  return { code: String(reason), message: String(reason) };
}

/** The certificates as presented, leaf first. */
function chainOf(leaf: PeerCertificate): Certificate[] {
  const chain: Certificate[] = [];
  const seen = new Set<string>();
  let next: (PeerCertificate & { issuerCertificate?: unknown }) | undefined = leaf;
  while (next?.fingerprint256 && !seen.has(next.fingerprint256)) {
    seen.add(next.fingerprint256);
    chain.push({
      subject: nameOf(next.subject),
      issuer: nameOf(next.issuer),
      validFrom: new Date(next.valid_from).toISOString(),
      validTo: new Date(next.valid_to).toISOString(),
      fingerprint: next.fingerprint256,
    });
    next = next.issuerCertificate as typeof next;
  }
  return chain;
}

/** A distinguished name on one line, in the order of the certificate. */
function nameOf(name: object): string {
  return Object.entries(name as Record<string, unknown>)
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(", ");
}
