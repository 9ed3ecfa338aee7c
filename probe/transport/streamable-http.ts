/** Streamable HTTP, both eras: every message is a POST, its answer is that POST's own response. */
import type { IncomingMessage } from "node:http";
import type { Clock } from "../clock.ts";
import { USER_AGENT } from "../identity.ts";
import { limit } from "../rules.ts";
import type { Recorder } from "../transcript/recorder.ts";
import { codingsOf } from "../views/codings.ts";
import { headerOf } from "../views/messages.ts";
import { readBody } from "./body.ts";
import { passedLimit } from "./caps.ts";
import { type ConnectOptions, Connector } from "./connect.ts";
import { type Fault, faultOf } from "./fault.ts";
import { isAllowed } from "./guard.ts";
import { type Asking, headersOf, Origin } from "./origin.ts";
import { type Next, nextOf, NO_WAY, type Tries } from "./next-hop.ts";
import type { Outgoing, Transport } from "./transport.ts";

/** Where a message goes and where its reply comes, when that is not the listed URL and the own body. */
export interface Aim {
  readonly url: URL;
  readonly replies: number;
}

export interface HttpOptions extends ConnectOptions {
  /** Waits until a message may leave that nobody asked to send just now: over a redirect, or again. */
  readonly pace?: (() => Promise<void>) | undefined;
}

/** One time that a message left, while it is open. */
interface Hop {
  /** The exchange that it belongs to. */
  readonly root: number;
  asking?: Asking;
}

export class StreamableHttp implements Transport {
  readonly kind = "streamable-http";
  readonly #url: URL;
  readonly #recorder: Recorder;
  readonly #clock: Clock;
  readonly #options: HttpOptions;
  readonly #origins = new Map<string, Origin>();
  readonly #open = new Map<number, Hop>();
  /** By exchange: the one it goes on with, and where its answer came from. */
  readonly #roots = new Map<number, number>();
  readonly #answeredAt = new Map<number, URL>();
  /** Exchanges between two hops. */
  readonly #carried = new Set<number>();
  /** Which origin gave out a session id: it is sent to no other. */
  readonly #sessions = new Map<string, string>();
  #closed = false;
  /** Bytes of all bodies of the attempt. */
  #total = 0;

  constructor(url: string, recorder: Recorder, clock: Clock, options: HttpOptions = {}) {
    this.#url = new URL(url);
    this.#recorder = recorder;
    this.#clock = clock;
    this.#options = options;
  }

  get alive(): boolean {
    return !this.#closed && this.#total <= limit("attempt");
  }

  open(): Promise<boolean> {
    return this.#originOf(this.#url).open();
  }

  send(outgoing: Outgoing, aim?: Aim): number {
    const { continues } = outgoing;
    const root = continues === undefined ? undefined : (this.#roots.get(continues) ?? continues);
    // A stream is taken up again where it came from; everything else goes where the listing says.
    const resumed = outgoing.purpose === "resume" ? this.#answeredAt.get(root ?? 0) : undefined;
    const url = aim?.url ?? resumed ?? this.#url;
    const exchange = this.#leave(outgoing, url, root, aim?.replies);
    void this.#run(exchange, outgoing, url, aim?.replies);
    return exchange;
  }

  carriesOn(exchange: number): boolean {
    return this.#carried.has(this.#roots.get(exchange) ?? exchange);
  }

  /** Most servers end the stream right behind the reply: then the connection can be used again. */
  release(exchange: number): void {
    const root = this.#roots.get(exchange) ?? exchange;
    this.#carried.delete(root);
    const hops = [...this.#open].filter(([, hop]) => hop.root === root);
    if (hops.length === 0) return;
    this.#clock.after(limit("linger"), () => hops.forEach(([number]) => this.#cut(number)));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#carried.clear();
    for (const exchange of this.#open.keys()) this.#cut(exchange);
    for (const origin of this.#origins.values()) origin.close();
  }

  #originOf(url: URL): Origin {
    const known = this.#origins.get(url.origin);
    if (known) return known;
    const listed = this.#origins.get(this.#url.origin)?.connector.address;
    // Only a server on this machine may send us to another one here.
    const elsewhere = listed !== undefined && isAllowed(listed, false);
    const options = elsewhere ? { ...this.#options, allowLoopback: false } : this.#options;
    const origin = new Origin(new Connector(url, this.#recorder, this.#clock, options));
    this.#origins.set(url.origin, origin);
    return origin;
  }

  #headers(outgoing: Outgoing, url: URL): [string, string][] {
    const headers = Object.entries(outgoing.headers).filter(
      ([name, value]) =>
        name !== "mcp-session-id" || (this.#sessions.get(value) ?? url.origin) === url.origin,
    );
    return [["user-agent", USER_AGENT], ["accept-encoding", "identity"], ...headers];
  }

  /** Writes down that a message leaves. */
  #leave(outgoing: Outgoing, url: URL, root: number | undefined, replies?: number): number {
    const exchange = this.#recorder.nextExchange();
    this.#roots.set(exchange, root ?? exchange);
    this.#open.set(exchange, { root: root ?? exchange });
    this.#recorder.add("sent", {
      exchange,
      purpose: outgoing.purpose,
      ...(root === undefined ? {} : { continues: root }),
      replies: replies ?? exchange,
      http: {
        method: outgoing.method ?? "POST",
        url: url.href,
        headers: this.#headers(outgoing, url),
      },
      data: Buffer.from(outgoing.body),
    });
    return exchange;
  }

  #cut(exchange: number): void {
    const hop = this.#open.get(exchange);
    if (!hop) return;
    this.#open.delete(exchange);
    this.#recorder.add("closed", { exchange });
    hop.asking?.abort();
  }

  /** Carries a message to its answer: over redirects, or once more over a fresh connection. */
  async #run(first: number, outgoing: Outgoing, aimed: URL, replies?: number): Promise<void> {
    const tries: Tries = { redirects: 0, resent: false, misdirected: false };
    const root = this.#roots.get(first)!;
    let [exchange, url] = [first, aimed];
    for (;;) {
      const next = await this.#exchange(exchange, outgoing, url, tries);
      if (!next || !this.#carried.has(root)) return;
      const fault = next.how === "unfollowed" ? next.fault : await this.#prepare(next);
      if (!fault) await this.#options.pace?.();
      // Nobody may be waiting any more.
      if (!this.#carried.delete(root)) return;
      if (fault) {
        this.#recorder.add("broke", { exchange, fault });
        return;
      }
      if (next.how === "redirect") url = next.to;
      exchange = this.#leave(outgoing, url, root, replies);
    }
  }

  /** Makes ready for the next hop; what stands in the way is a fault. */
  async #prepare(next: Next): Promise<Fault | undefined> {
    if (next.how !== "redirect" || this.#origins.has(next.to.origin)) return undefined;
    return (await this.#originOf(next.to).open()) ? undefined : NO_WAY;
  }

  async #exchange(
    exchange: number,
    outgoing: Outgoing,
    url: URL,
    tries: Tries,
  ): Promise<Next | undefined> {
    const hop = this.#open.get(exchange)!;
    const origin = this.#originOf(url);
    const method = outgoing.method ?? "POST";
    const asking = origin.ask({
      method,
      url,
      headers: this.#headers(outgoing, url),
      body: outgoing.body,
    });
    hop.asking = asking;
    let next: Next | undefined;
    try {
      const response = await asking.response;
      if (!this.#open.has(exchange)) return undefined;
      const status = response.statusCode!;
      const headers = headersOf(response);
      const codings = codingsOf({ headers });
      const { socket } = response;
      next = nextOf(status, headerOf(headers, "location"), url, tries);
      if (next) this.#carry(exchange, hop.root);
      else if (outgoing.purpose !== "resume") this.#answeredAt.set(hop.root, url);
      const session = headerOf(headers, "mcp-session-id");
      if (session !== undefined) this.#sessions.set(session, url.origin);
      this.#recorder.add("responded", { exchange, status, headers });
      const whole = await this.#readBody(exchange, response, { headers, codings });
      if (next?.how === "again") origin.forget(socket);
      if (this.#open.delete(exchange) && whole) this.#recorder.add("ended", { channel: exchange });
    } catch (error) {
      // An exchange that is no longer open was cut by us, and that is on record.
      if (!this.#open.delete(exchange)) return next;
      if (asking.isStale() && !tries.resent) {
        tries.resent = true;
        next = { how: "again" };
        origin.forget();
        this.#carried.add(hop.root);
      }
      this.#broke(exchange, error);
    }
    return next;
  }

  /** The rest of an answer that sends us on is not waited for. */
  #carry(exchange: number, root: number): void {
    this.#carried.add(root);
    this.#clock.after(limit("linger"), () => this.#cut(exchange));
  }

  #broke(exchange: number, error: unknown): void {
    const fault = faultOf(error);
    // Not the server's connection: our own limit.
    if (fault.code === "HPE_HEADER_OVERFLOW") {
      this.#recorder.add("capped", { channel: exchange, limit: limit("head") });
    } else {
      this.#recorder.add("broke", { exchange, fault });
    }
  }

  /** Records a body as it comes; false when it outgrew the cap and was cut. */
  #readBody(
    exchange: number,
    response: IncomingMessage,
    head: Parameters<typeof readBody>[1],
  ): Promise<boolean> {
    return readBody(response, head, {
      isOpen: () => this.#open.has(exchange),
      received: (bytes) => this.#recorder.received(exchange, bytes),
      decoded: (bytes) =>
        this.#recorder.add("decoded", { channel: exchange, data: Uint8Array.from(bytes) }),
      capped: (at) => this.#recorder.add("capped", { channel: exchange, limit: at }),
      passed: (size, more) => passedLimit(size, (this.#total += more)),
    });
  }
}
