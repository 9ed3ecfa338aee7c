/** How the target was reached: names, connections, TLS, the package, the process. */
import type { EventOf } from "../transcript/schema.ts";
import { eventsOf, type Indexed, view } from "./view.ts";

export interface Network {
  readonly resolved: readonly Indexed<EventOf<"resolved">>[];
  readonly connected: readonly Indexed<EventOf<"connected">>[];
  readonly tls: readonly Indexed<EventOf<"tls">>[];
  readonly installed: Indexed<EventOf<"installed">> | undefined;
  readonly spawned: Indexed<EventOf<"spawned">> | undefined;
  readonly exited: Indexed<EventOf<"exited">> | undefined;
}

export const network = view((transcript): Network => ({
  resolved: eventsOf(transcript.events, "resolved"),
  connected: eventsOf(transcript.events, "connected"),
  tls: eventsOf(transcript.events, "tls"),
  installed: eventsOf(transcript.events, "installed").at(0),
  spawned: eventsOf(transcript.events, "spawned").at(0),
  exited: eventsOf(transcript.events, "exited").at(0),
}));

/** Host that a URL names, also one without scheme: lower case, IPv6 without brackets, else empty. */
export function hostOf(url: string): string {
  // As URL parsers read it: user info ends at the last @ before the path, and \ starts a path too.
  const authority = /^(?:[a-z][a-z0-9+.-]*:)?\/\/(?:[^/?#\\]*@)?(\[[^\]]*\]|[^:/?#\\]*)/i;
  return bareHost(authority.exec(url)?.[1] ?? "");
}

/** A host in lower case, IPv6 without brackets, a full name without the dot that ends it. */
export const bareHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "");

/** Scheme, host and port of a URL as it is written, in lower case; empty where it names no host. */
export function originOf(url: string): string {
  const origin = /^(https?:)\/\/(?:[^/?#\\]*@)?(\[[^\]]*\]|[^:/?#\\]*)(?::(\d+))?/i.exec(url);
  if (!origin?.[2]) return "";
  const scheme = origin[1]!.toLowerCase();
  const standard = scheme === "https:" ? "443" : "80";
  const port = origin[3] === undefined || origin[3] === standard ? "" : `:${origin[3]}`;
  return `${scheme}//${origin[2].toLowerCase()}${port}`;
}

/** Loopback by name or address: an author's own machine, where TLS would prove nothing. */
export const isLoopback = (url: string): boolean => isLoopbackHost(hostOf(url));

/** The same for a host alone, as `bareHost` gives it, or for an address. */
export function isLoopbackHost(host: string): boolean {
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    host === "::1" ||
    /^127(\.\d{1,3}){3}$/.test(host)
  );
}
