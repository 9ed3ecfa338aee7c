/** The TLS handshake, and what its certificates say. It is seen to its end whatever they say. */
import { isIP, type Socket } from "node:net";
import { connect as connectTls, type PeerCertificate, type TLSSocket } from "node:tls";
import type { Clock } from "../clock.ts";
import { limit } from "../rules.ts";
import type { EventOf } from "../transcript/schema.ts";
import { type Fault, faultOf } from "./fault.ts";

type Met = Pick<EventOf<"tls">, "took" | "protocol" | "chain" | "fault">;
type Certificate = Met["chain"][number];

/** Shakes hands over an open connection. Whoever gets a `fault` must not use the socket. */
export async function handshake(
  socket: Socket,
  host: string,
  clock: Clock,
  ca: string | undefined,
): Promise<Met & { readonly secure: TLSSocket }> {
  // The dot that ends a full name is no part of what a certificate names.
  const bare = host.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const start = clock.now();
  const secure = connectTls({
    socket,
    // What the certificate must name. An address is never announced (RFC 6066, section 3).
    host: bare,
    ...(isIP(bare) ? {} : { servername: bare }),
    ALPNProtocols: ["http/1.1"],
    // The handshake is to be seen to its end; `authorized` below decides.
    rejectUnauthorized: false,
    ...(ca === undefined ? {} : { ca }),
  });
  const broken = await readiness(secure, "secureConnect", limit("connect"), clock);
  const fault = broken ?? untrusted(secure);
  return {
    secure,
    took: clock.now() - start,
    protocol: broken ? null : secure.getProtocol(),
    chain: broken ? [] : chainOf(secure.getPeerCertificate(true)),
    ...(fault && { fault }),
  };
}

/** Waits for a socket's event; returns what went wrong instead, and destroys the socket then. */
export function readiness(
  socket: Socket,
  ready: string,
  ms: number,
  clock: Clock,
): Promise<Fault | undefined> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, () =>
      socket.destroy(Object.assign(new Error(`nothing after ${ms} ms`), { code: "ETIMEDOUT" })),
    );
    const settle = (fault?: Fault) => {
      cancel();
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

function untrusted(socket: TLSSocket): Fault | undefined {
  if (socket.authorized) return undefined;
  const reason: unknown = socket.authorizationError;
  if (reason instanceof Error) return faultOf(reason);
  return { code: String(reason), message: String(reason) };
}

/** The certificates as presented, leaf first. One whose dates are no dates is left out. */
function chainOf(leaf: PeerCertificate): Certificate[] {
  const chain: Certificate[] = [];
  const seen = new Set<string>();
  let next: (PeerCertificate & { issuerCertificate?: unknown }) | undefined = leaf;
  while (next?.fingerprint256 && !seen.has(next.fingerprint256)) {
    seen.add(next.fingerprint256);
    const dates = [new Date(next.valid_from), new Date(next.valid_to)] as const;
    if (dates.every((date) => Number.isFinite(date.getTime()))) {
      chain.push({
        subject: nameOf(next.subject),
        issuer: nameOf(next.issuer),
        validFrom: dates[0].toISOString(),
        validTo: dates[1].toISOString(),
        fingerprint: next.fingerprint256,
      });
    }
    next = next.issuerCertificate as typeof next;
  }
  return chain;
}

/** A distinguished name on one line, in the order of the certificate; it may be empty. */
function nameOf(name: object | undefined): string {
  return Object.entries((name ?? {}) as Record<string, unknown>)
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(", ");
}
