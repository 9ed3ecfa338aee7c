/** Where the probe may connect to: public addresses, and loopback for those who ask for it. */
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type { EventOf } from "../transcript/schema.ts";

type Address = EventOf<"resolved">["addresses"][number];

/** Finds the addresses of a host name; rejects with a `code` such as `ENOTFOUND`. */
export type Resolve = (host: string) => Promise<readonly { address: string; family: number }[]>;

/** The operating system's resolver, in the order it prefers. */
export const systemResolve: Resolve = (host) => lookup(host, { all: true, order: "verbatim" });

/**
 * Public addresses at which a cloud serves its own machines: the wire server of Azure. Other clouds
 * use link-local, unique local, reserved or carrier-grade NAT addresses, which no range lets through.
 */
const CLOUD: ReadonlySet<string> = new Set(["168.63.129.16"]);

/**
 * The kind of an address as ipaddr.js names it; `unicast` is the public one. An IPv4 address inside
 * an IPv6 one (mapped, NAT64, 6to4) counts as what it leads to.
 */
function rangeOf(address: string): string {
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (CLOUD.has(parsed.toString())) return "cloud";
  if (parsed.kind() === "ipv4") return range;
  const bytes = parsed.toByteArray();
  if (range === "rfc6052") return rangeOf(bytes.slice(12).join("."));
  if (range === "6to4") return rangeOf(bytes.slice(2, 6).join("."));
  // Only 2000::/3 is handed out. What else claims to be public, such as the IPv4-compatible
  // addresses of ::/96, leads to places of its own.
  return range === "unicast" && bytes[0]! >> 5 !== 1 ? "unassigned" : range;
}

/** Whether the probe may connect to an address. */
export function isAllowed(address: string, allowLoopback: boolean): boolean {
  const range = rangeOf(address);
  return range === "unicast" || (allowLoopback && range === "loopback");
}

/** Looks a host up and says of every address whether it may be used. An address is its own answer. */
export async function resolveGuarded(
  host: string,
  resolve: Resolve,
  allowLoopback: boolean,
): Promise<Address[]> {
  const bare = host.replace(/^\[|\]$/g, "");
  const family = isIP(bare);
  const found = family ? [{ address: bare, family }] : await resolve(host);
  return found.map(({ address, family: kind }) => ({
    address,
    family: kind === 6 ? 6 : 4,
    allowed: isAllowed(address, allowLoopback),
  }));
}
