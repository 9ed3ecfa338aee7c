import {
  cantTell,
  type CheckResult,
  defineCheck,
  type EventRef,
  failed,
  passed,
  untested,
} from "../check.ts";
import type { EventOf, Transcript } from "../transcript/schema.ts";
import { network } from "../views/network.ts";
import type { Indexed } from "../views/view.ts";
import { duration, shown } from "../views/words.ts";

/** Codes by which a resolver says that there is no such name; any other one is its own failure. */
const NO_SUCH_NAME: ReadonlySet<string> = new Set(["ENOTFOUND", "ENODATA", "EAI_NONAME"]);

/** Codes by which a package manager says that there is no such package, version, or even name. */
const NO_SUCH_PACKAGE: ReadonlySet<string> = new Set(["E404", "ETARGET", "EINVALIDPACKAGENAME"]);

/** What the codes of a failed connection mean, the most telling first; any other one just failed. */
const FAULTS: Readonly<Record<string, { reason: string; words: string }>> = {
  ECONNREFUSED: { reason: "connection-refused", words: "nothing listens there" },
  ETIMEDOUT: { reason: "connect-timeout", words: "nothing answered in time" },
};

export default defineCheck({
  id: "L0.reachable",
  title: "Can be reached",
  passesWhen:
    "Remote: the name resolves to a public address and a connection opens; whatever HTTP answers counts. Stdio: the registry has the package, and the process starts.",
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
  const { installed, spawned } = network(transcript);
  if (installed?.fault) return notInstalled(installed, installed.fault);
  if (!spawned)
    return cantTell("probe-failed", "The program was never started, which is our fault.");
  if (!spawned.fault) return passed("The process started.", [spawned.ref]);
  const words = `${shown(spawned.fault.code)}: ${shown(spawned.fault.message)}`;
  return failed("start-failed", `Expected the program to start, but it did not (${words}).`, [
    spawned.ref,
  ]);
}

function notInstalled(
  { registry, identifier, version, step, ref }: Indexed<EventOf<"installed">>,
  { code, message }: NonNullable<EventOf<"installed">["fault"]>,
): CheckResult {
  const name = shown(`${identifier}@${version}`);
  const words = `${shown(code)}: ${shown(message)}`;
  // Further on, what is missing is something that the package needs, or its archive.
  if (step === "look-up" && NO_SUCH_PACKAGE.has(code)) {
    const because = `Expected the ${registry} registry to have ${name}, but it knows no such package or version (${words}). Publish it, or correct the listing.`;
    return failed("package-not-found", because, [ref]);
  }
  const because = `The ${registry} package ${name} could not be fetched or installed (${words}), so nothing was started.`;
  return untested("package-unavailable", because, [ref]);
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
  if (name.fault) return unresolved(name.host, name.fault.code, name.ref);
  if (!name.addresses.some(({ allowed }) => allowed)) {
    const found = name.addresses.map(({ address }) => address).join(", ") || "none";
    const because = `Expected a public address of ${shown(name.host)}, but found ${found}. The probe dials public addresses only.`;
    return failed("address-not-public", because, [name.ref]);
  }
  const tried = connected.flatMap(({ address, fault }) => (fault ? [{ address, ...fault }] : []));
  if (tried.length === 0)
    return cantTell("probe-failed", "No address was dialled, which is our fault.", [name.ref]);
  const codes = [...Object.keys(FAULTS), tried.at(-1)!.code];
  const telling = codes.find((code) => tried.some((fault) => fault.code === code))!;
  const reason = FAULTS[telling]?.reason ?? "connection-failed";
  const addresses = [...new Set(tried.map(({ address }) => address))];
  const words = [...new Set(tried.map(({ code }) => wordsOf(code)))];
  const what =
    words.length === 1
      ? words[0]!
      : [...new Set(tried.map(({ address, code }) => `${address}: ${wordsOf(code)}`))].join("; ");
  const because = `Expected a connection to ${addresses.join(", ")}, port ${connected[0]!.port}, to open, but ${what}.`;
  const refs = [name.ref, ...connected.map(({ ref }) => ref)] as [EventRef, ...EventRef[]];
  return failed(reason, because, refs);
}

const wordsOf = (code: string) => FAULTS[code]?.words ?? `the connection failed (${shown(code)})`;

function unresolved(host: string, code: string, ref: EventRef): CheckResult {
  const expected = `Expected the name ${shown(host)} to resolve, but`;
  return NO_SUCH_NAME.has(code)
    ? failed(
        "dns-not-found",
        `${expected} there is no such name (${shown(code)}). Check the DNS entry, or the name in the listing.`,
        [ref],
      )
    : failed(
        "dns-failed",
        `${expected} its look-up failed (${shown(code)}). Check that every name server of the domain answers, and DNSSEC if it is signed.`,
        [ref],
      );
}
