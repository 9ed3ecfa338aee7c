import { cantTell, defineCheck, type EventRef, failed, inapplicable, passed } from "../check.ts";
import { handshakes } from "../views/handshakes.ts";
import { isLoopback, network } from "../views/network.ts";
import { shown } from "../views/words.ts";

/** Node's and OpenSSL's codes for certificates, and what their author does about them. */
const FAULTS: Readonly<Record<string, { reason: string; words: string }>> = {
  CERT_HAS_EXPIRED: { reason: "certificate-expired", words: "it has expired. Renew it" },
  CERT_NOT_YET_VALID: {
    reason: "certificate-not-yet-valid",
    words: "it is not valid yet. Check the clock of the issuer",
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    reason: "certificate-name-mismatch",
    words: "it is for other names. Get one that names this host",
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: {
    reason: "certificate-untrusted",
    words: "it is self-signed. Get one from a public authority",
  },
  SELF_SIGNED_CERT_IN_CHAIN: {
    reason: "certificate-untrusted",
    words: "its chain ends in a root that is not public. Get one from a public authority",
  },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: {
    reason: "certificate-untrusted",
    words:
      "the chain lacks the intermediate certificate. Send the whole chain; browsers repair this, other clients do not",
  },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: {
    reason: "certificate-untrusted",
    words: "its issuer is not a public authority, or the chain is incomplete. Send the whole chain",
  },
  /** What Node calls every reason that it has no name for. */
  UNSPECIFIED: {
    reason: "certificate-untrusted",
    words:
      "it was refused for a reason without a name, mostly a weak signature such as SHA-1, or a short key. Get a new one",
  },
};

export default defineCheck({
  id: "L0.tls",
  title: "Has a valid certificate",
  passesWhen:
    "Every TLS handshake of the conversation succeeds with a certificate that is valid for the host at that time.",
  why: "Without a valid certificate clients refuse to connect, and whoever sits in between can read and change everything.",
  fix: "Serve the URL over https with a certificate of a public authority, send the intermediate certificates, and renew before it expires.",
  needs: ["L0.reachable"],
  run(transcript) {
    const { target } = transcript;
    if (target.kind !== "remote") return inapplicable("A process has no TLS.");
    if (isLoopback(target.url))
      return inapplicable("The address is on this machine, where TLS proves nothing.");
    if (!/^https:/i.test(target.url)) {
      const [open] = network(transcript).connected;
      const because =
        "Expected an https URL, but the listing names http. Serve it over https and change the listing.";
      return failed("not-https", because, [open?.ref ?? 0]);
    }
    const all = handshakes(transcript);
    const [first] = all;
    if (!first) return cantTell("probe-failed", "No TLS handshake was made, which is our fault.");
    const broken = all.find(({ fault }) => fault !== undefined);
    if (!broken?.fault) {
      const refs = all.map(({ ref }) => ref) as [EventRef, ...EventRef[]];
      const until = first.chain[0]?.validTo.slice(0, 10) ?? "an unknown date";
      return passed(`${first.protocol ?? "TLS"}, with a certificate valid until ${until}.`, refs);
    }
    const { code, message } = broken.fault;
    const known = FAULTS[code];
    if (known) {
      const because = `Expected a valid certificate for ${shown(broken.host)}, but ${known.words}.`;
      return failed(known.reason, because, [broken.ref]);
    }
    const reason = broken.chain.length > 0 ? "certificate-untrusted" : "tls-handshake-failed";
    const because = `Expected the TLS handshake with ${shown(broken.host)} to succeed, but it failed: ${shown(code)}, ${shown(message)}.`;
    return failed(reason, because, [broken.ref]);
  },
});
