import {
  cantTell,
  type CheckResult,
  defineCheck,
  type EventRef,
  failed,
  passed,
  untested,
} from "../check.ts";
import type { Transcript } from "../transcript/schema.ts";
import { network } from "../views/network.ts";
import { duration, shown } from "../views/words.ts";

/** What the codes of a failed connection mean; any other one is a connection that failed. */
const FAULTS: Readonly<Record<string, { reason: string; words: string }>> = {
  ECONNREFUSED: { reason: "connection-refused", words: "nothing listens there" },
  ETIMEDOUT: { reason: "connect-timeout", words: "nothing answered in time" },
};

export default defineCheck({
  id: "L0.reachable",
  title: "Can be reached",
  passesWhen:
    "Remote: the name resolves to a public address and a connection opens; whatever HTTP answers counts. Stdio: the process starts.",
  why: "A client that cannot connect, or cannot start the program, has no server at all.",
  fix: "Check the URL or the command of the listing, the DNS entry, and that the server listens and lets connections from data centres in.",
  needs: [],
  run(transcript) {
    const { target } = transcript;
    if (target.kind !== "remote") return started(transcript);
    if (transcript.events.length === 0 && target.missing.length > 0) {
      const names = target.missing.map(shown).join(", ");
      return untested(
        "needs-configuration",
        `Nothing was dialled: nobody but its user can fill in ${names}.`,
      );
    }
    return dialled(transcript);
  },
});

function started(transcript: Transcript): CheckResult {
  const { spawned } = network(transcript);
  if (!spawned)
    return cantTell("probe-failed", "The program was never started, which is our fault.");
  if (!spawned.fault) return passed("The process started.", [spawned.ref]);
  const words = `${shown(spawned.fault.code)}: ${shown(spawned.fault.message)}`;
  return failed("start-failed", `Expected the program to start, but it did not (${words}).`, [
    spawned.ref,
  ]);
}

function dialled(transcript: Transcript): CheckResult {
  const { resolved, connected } = network(transcript);
  const open = connected.find(({ fault }) => !fault);
  if (open) {
    const where = `${open.address}, port ${open.port}`;
    return passed(`A connection to ${where} opened in ${duration(open.took)}.`, [open.ref]);
  }
  const [name] = resolved;
  if (!name) return cantTell("probe-failed", "Nothing was dialled, which is our fault.");
  if (name.fault) {
    const because = `Expected the name ${shown(name.host)} to resolve, but it does not (${shown(name.fault.code)}). Check the DNS entry, or the name in the listing.`;
    return failed("dns-not-found", because, [name.ref]);
  }
  if (!name.addresses.some(({ allowed }) => allowed)) {
    const found = name.addresses.map(({ address }) => address).join(", ") || "none";
    const because = `Expected a public address of ${shown(name.host)}, but found ${found}. The probe dials public addresses only.`;
    return failed("address-not-public", because, [name.ref]);
  }
  const last = connected.at(-1);
  if (!last?.fault)
    return cantTell("probe-failed", "No address was dialled, which is our fault.", [name.ref]);
  const { reason, words } = FAULTS[last.fault.code] ?? {
    reason: "connection-failed",
    words: `the connection failed (${shown(last.fault.code)})`,
  };
  const addresses = [...new Set(connected.map(({ address }) => address))].join(", ");
  const because = `Expected a connection to ${addresses}, port ${last.port}, to open, but ${words}.`;
  const refs = [name.ref, ...connected.map(({ ref }) => ref)] as [EventRef, ...EventRef[]];
  return failed(reason, because, refs);
}
