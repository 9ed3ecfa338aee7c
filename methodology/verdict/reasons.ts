/** Why a server could not be judged although nothing speaks against it. */
import type { Outcome } from "../../probe/check.ts";

interface Reason {
  /**
   * `gate`: the server answered and wants something first. `lack`: it needs what the probe does not
   * have. `ours`: the probe or its network failed, so the run says nothing about the server.
   */
  readonly kind: "gate" | "lack" | "ours";
  /** For people, when the opening already met it; the beginning of a sentence. */
  readonly opening: string;
  /** For people, when it was met after the opening. */
  readonly later: string;
}

const table = {
  "auth-required": {
    kind: "gate",
    opening: "Answers, and asks for credentials before it opens",
    later: "Opens, and asks for credentials before it goes on",
  },
  "payment-required": {
    kind: "gate",
    opening: "Answers, and asks for payment before it opens",
    later: "Opens, and asks for payment before it goes on",
  },
  refused: {
    kind: "gate",
    opening: "Answers, and refuses our requests",
    later: "Opens, and then refuses our requests",
  },
  "rate-limited": {
    kind: "gate",
    opening: "Answers, and asks us to slow down",
    later: "Opens, and then asks us to slow down",
  },
  "newer-protocol": {
    kind: "gate",
    opening: "Answers, and names only protocol versions newer than any that we know",
    later: "Opens, and names only protocol versions newer than any that we know",
  },
  "needs-configuration": {
    kind: "lack",
    opening: "Needs configuration that the probe was not given",
    later: "Opens, and needs configuration that the probe was not given",
  },
  "needs-service": {
    kind: "lack",
    opening: "Needs a service or a program that the sandbox does not have",
    later: "Opens, and needs a service or a program that the sandbox does not have",
  },
  "package-unavailable": {
    kind: "lack",
    opening: "Its package could not be fetched or installed",
    later: "Its package could not be fetched or installed",
  },
  "control-failed": {
    kind: "ours",
    opening: "Our own control check failed, so this run cannot judge the server",
    later: "Opens, but our own control check failed, so this run cannot judge the rest",
  },
  "probe-failed": {
    kind: "ours",
    opening: "The probe itself failed, so this run cannot judge the server",
    later: "Opens, but the probe itself failed, so this run cannot judge the rest",
  },
} as const satisfies Record<string, Reason>;

/** The published reasons by their codes, in the order in which pages list them. */
export const reasons: ReadonlyMap<string, Reason> = new Map(Object.entries(table));

/** Codes that checks keep apart and verdicts do not. */
const SAME_AS: ReadonlyMap<string, string> = new Map([
  ["auth-required-by-words", "auth-required"],
  ["payment-required-by-code", "payment-required"],
  ["check-crashed", "probe-failed"],
]);

/** The reason that a verdict gives for a check that could not be judged. */
export function reasonOf(check: {
  readonly outcome: Outcome;
  readonly reason?: string | undefined;
}): string {
  const code = check.reason ?? "untested";
  // `cantTell` is our fault by definition: a crash, a cap, or a control that failed.
  if (check.outcome === "cantTell") return code === "control-failed" ? code : "probe-failed";
  return SAME_AS.get(code) ?? code;
}

/** Whether a reason speaks of us alone, so that it says nothing about the server. */
export function isOurs(reason: string | null): boolean {
  return reasons.get(reason ?? "")?.kind === "ours";
}

/** Whether a reason shows that the server answered. */
export function isGate(reason: string): boolean {
  return reasons.get(reason)?.kind === "gate";
}
