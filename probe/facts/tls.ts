import { defineFact } from "../fact.ts";
import { handshakes } from "../views/handshakes.ts";
import { count } from "../views/words.ts";

const DAY = 86_400_000;

export default defineFact({
  id: "tls",
  title: "TLS",
  describes:
    "TLS version, issuer and end of the certificate, and the days left until then when it was probed.",
  run(transcript) {
    const first = handshakes(transcript).find(({ chain }) => chain.length > 0);
    const leaf = first?.chain[0];
    if (!first || !leaf) return undefined;
    const left = Date.parse(leaf.validTo) - Date.parse(transcript.startedAt);
    return {
      protocol: first.protocol,
      issuer: leaf.issuer,
      validTo: leaf.validTo,
      daysLeft: Math.floor(left / DAY),
    };
  },
  show: ({ protocol, issuer, daysLeft }) =>
    `${protocol ?? "TLS"}, certificate of ${issuer}, ${count(daysLeft, "day")} left`,
});
