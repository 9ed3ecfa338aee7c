/** The TLS handshakes that carried the conversation, without those of metadata look-ups elsewhere. */
import type { EventOf } from "../transcript/schema.ts";
import { exchanges, responseHeader } from "./exchanges.ts";
import { network } from "./network.ts";
import { type Indexed, view } from "./view.ts";

/** Host of a URL, lower case, IPv6 without brackets; empty for what is no absolute URL. */
export function hostOf(url: string): string {
  const host = /^[a-z][a-z0-9+.-]*:\/\/(?:[^@/?#]*@)?(\[[^\]]*\]|[^:/?#]*)/i.exec(url)?.[1] ?? "";
  return bare(host);
}

const bare = (host: string) => host.toLowerCase().replace(/^\[|\]$/g, "");

/** Handshakes with the target's host and with every host that it sent us to. */
export const handshakes = view((transcript): readonly Indexed<EventOf<"tls">>[] => {
  const { target } = transcript;
  if (target.kind !== "remote") return [];
  const hops = exchanges(transcript)
    .filter(({ purpose }) => purpose !== "auth-metadata")
    .flatMap((exchange) => [exchange.sent.http?.url, responseHeader(exchange, "location")])
    .filter((url) => url !== undefined);
  const hosts = new Set([target.url, ...hops].map(hostOf));
  return network(transcript).tls.filter(({ host }) => hosts.has(bare(host)));
});
