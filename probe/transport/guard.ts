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
 * The kind of an address as ipaddr.js names it; `unicast` is the public one. An IPv4 address inside
 * an IPv6 one (mapped, NAT64, 6to4) counts as what it leads to.
 */
function rangeOf(address: string): string {
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv6" && parsed.range() === "rfc6052") {
    return rangeOf(parsed.toByteArray().slice(12).join("."));
  }
  if (parsed.kind() === "ipv6" && parsed.range() === "6to4") {
    return rangeOf(parsed.toByteArray().slice(2, 6).join("."));
  }
  return parsed.range();
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
