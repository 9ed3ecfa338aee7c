/** The TLS handshakes that carried the conversation, without those of metadata look-ups elsewhere. */
import type { EventOf } from "../transcript/schema.ts";
import { exchanges, UNREAD } from "./exchanges.ts";
import { headerOf } from "./messages.ts";
import { bareHost, hostOf, network } from "./network.ts";
import { type Indexed, view } from "./view.ts";

/** Handshakes with the target's host and with every host that it sent us to. */
export const handshakes = view((transcript): readonly Indexed<EventOf<"tls">>[] => {
  const { target } = transcript;
  if (target.kind !== "remote") return [];
  const all = exchanges(transcript);
  const hops = all
    .filter(({ purpose }) => !UNREAD.has(purpose))
    .flatMap((exchange) => exchange.hops)
    .flatMap(({ sent, response }) => [
      sent.http?.url,
      response && headerOf(response.headers, "location"),
    ])
    .filter((url) => url !== undefined);
  const hosts = new Set([target.url, ...hops].map(hostOf));
  // What no check reads comes last. A connection that is opened for it says nothing of the
  // conversation, even where it leads to the target's own host.
  const over = all.find(({ purpose }) => UNREAD.has(purpose))?.sent.ref ?? Infinity;
  // Before the first request we dial the target alone. A listing may spell its name in another way
  // than the handshake (`bücher.example`), and behind a bad certificate no request shows how.
  const start = all[0]?.sent.ref ?? Infinity;
  return network(transcript).tls.filter(
    ({ host, ref }) => ref < over && (ref < start || hosts.has(bareHost(host))),
  );
});
