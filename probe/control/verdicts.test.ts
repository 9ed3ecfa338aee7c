/** From the transcripts of attempts and the controls beside them to the verdicts. */
import { describe, expect, test } from "vitest";
import { verdicts } from "../../methodology/index.ts";
import { assessAlone } from "../../methodology/methodology.ts";
import { checks } from "../checks/index.ts";
import { observe } from "../evaluate.ts";
import { httpTranscript, modernTranscript, packageTranscript } from "../testing/transcripts.ts";
import type { Transcript } from "../transcript/schema.ts";
import type { Capability, Control } from "./control.ts";

const START = Date.parse("2026-11-30T12:00:00.000Z");
const time = (seconds: number) => new Date(START + seconds * 1000).toISOString();

/** The attempts of one run, started so many seconds after its begin, a minute apart by default. */
const run = (
  transcripts: readonly Transcript[],
  starts: readonly number[] = [0, 60, 120],
): readonly Transcript[] =>
  transcripts.map((transcript, index) => ({
    ...transcript,
    attempt: index + 1,
    startedAt: time(starts[index]!),
  }));

const UNRESOLVED = {
  ...httpTranscript(),
  events: [
    {
      type: "resolved" as const,
      at: 1,
      host: "mcp.example",
      addresses: [],
      fault: { code: "EAI_AGAIN", message: "again" },
    },
  ],
};
const UNKNOWN = packageTranscript({ step: "look-up", fault: { code: "E404", message: "" } });
const UNAVAILABLE = packageTranscript({ fault: { code: "ENOTFOUND", message: "" } });
const WELL = httpTranscript();
const status = (code: number) =>
  httpTranscript({ answers: { initialize: { raw: "", status: code } } });
const three = (transcript: Transcript) => [transcript, transcript, transcript];

const control = (capability: Capability, seconds: number, ok: boolean): Control => ({
  capability,
  at: time(seconds),
  took: 10,
  needed: 2,
  endpoints: [1, 2, 3].map((number) => ({
    endpoint: `endpoint-${number}`,
    ...(!ok && { fault: { code: "EAI_AGAIN", message: "again" } }),
  })),
});
const controls = (capability: Capability, ...oks: readonly boolean[]) =>
  oks.map((ok, index) => control(capability, index * 60 + 1, ok));

const FINE = controls("dns", true, true, true);

describe("attempts and controls give", () => {
  // Current verdict and its reason, the verdict before, attempts, outcome of the deciding check.
  type Expected = readonly [string | null, string | null, string | null];
  test.each<[string, readonly Transcript[], readonly Control[], Expected]>([
    [
      "unverifiable where our own names do not resolve either",
      run(three(UNRESOLVED)),
      controls("dns", false, false, false),
      ["unverifiable", "control-failed", "unverifiable"],
    ],
    [
      "dead where only the server's name does not resolve",
      run(three(UNRESOLVED)),
      FINE,
      ["dead", "dns-failed", "dead"],
    ],
    [
      "unverifiable where our side failed from the second attempt on",
      run(three(UNRESOLVED)),
      controls("dns", true, false, false),
      ["unverifiable", "control-failed", "unverifiable"],
    ],
    [
      "unverifiable where our side failed in the middle",
      run(three(UNRESOLVED)),
      controls("dns", true, false, true),
      ["unverifiable", "control-failed", "unverifiable"],
    ],
    [
      "no verdict where the attempts did not wait",
      run(three(UNRESOLVED), [0, 0.2, 0.4]),
      [control("dns", 1, true)],
      [null, "attempts-too-close", null],
    ],
    [
      "no verdict after two attempts",
      run([UNRESOLVED, UNRESOLVED]),
      FINE,
      [null, "attempts-incomplete", null],
    ],
    [
      "no verdict where one control is missing",
      run(three(UNRESOLVED)),
      FINE.slice(0, 2),
      [null, "control-not-measured", null],
    ],
    [
      "no verdict where another capability was tried",
      run(three(UNRESOLVED)),
      controls("tls", true, true, true),
      [null, "control-not-measured", null],
    ],
    [
      "alive where the second attempt passes",
      run([UNRESOLVED, WELL]),
      FINE,
      ["alive", null, "alive"],
    ],
    [
      "alive where our side failed first and the second attempt passes",
      run([UNRESOLVED, WELL]),
      controls("dns", false),
      ["alive", null, "alive"],
    ],
    [
      "alive after a slow-down",
      run([status(429), WELL]),
      controls("tls", true),
      ["alive", null, "alive"],
    ],
    [
      "the slow-down, or dead by the letter, where it never ends",
      run(three(status(429))),
      controls("tls", true, true, true),
      ["unverifiable", "rate-limited", "dead"],
    ],
    [
      "dead where the server is down behind its address",
      run(three(status(503))),
      controls("tls", true, true, true),
      ["dead", "http-status", "dead"],
    ],
    [
      "the login where a failure came before it",
      run([UNRESOLVED, status(401)]),
      FINE,
      ["unverifiable", "auth-required", "unverifiable"],
    ],
    [
      "alive, and dead by the letter, in the newer era alone",
      run(three(modernTranscript())),
      controls("tls", true, true, true),
      ["alive", null, "dead"],
    ],
    [
      "dead where the registry works and does not know the package",
      run(three(UNKNOWN)),
      controls("registry", true, true, true),
      ["dead", "package-not-found", "dead"],
    ],
    [
      "no verdict where nobody looked whether it works",
      run(three(UNKNOWN)),
      controls("sandbox", true, true, true),
      [null, "control-not-measured", null],
    ],
    [
      "unverifiable where the registry knows nothing else either",
      run(three(UNKNOWN)),
      controls("registry", false, false, false),
      ["unverifiable", "control-failed", "unverifiable"],
    ],
    [
      "unverifiable where the registry works and the package does not come",
      run([UNAVAILABLE]),
      controls("registry", true),
      ["unverifiable", "package-unavailable", "unverifiable"],
    ],
    [
      "our fault where the registry is out of reach",
      run([UNAVAILABLE]),
      controls("registry", false),
      ["unverifiable", "control-failed", "unverifiable"],
    ],
  ])("%s", (_, attempts, control, [verdict, reason, before]) => {
    const observation = observe(attempts, { checks, facts: [], control });
    const [now, then] = verdicts.map((methodology) => assessAlone(methodology, observation));
    expect([now?.verdict, now?.reason, then?.verdict]).toEqual([verdict, reason, before]);
    expect(observation.attempts).toHaveLength(attempts.length);
  });
});

describe("a check", () => {
  const of = (control: readonly Control[]) =>
    observe(run(three(UNRESOLVED)), { checks, facts: [], control });
  const outcomesOf = (control: readonly Control[]) =>
    Object.fromEntries(
      of(control).checks.map(({ check, outcome, reason }) => [check, [outcome, reason]]),
    );

  test("that failed while our own side did cannot tell, and those behind it are untested", () => {
    expect(outcomesOf(controls("dns", false, false, false))).toMatchObject({
      "L0.reachable": ["cantTell", "control-failed"],
      "L0.tls": ["untested", "control-failed"],
      "L1.tools_list": ["untested", "control-failed"],
    });
  });

  test("that waits for a package cannot tell either while its registry is out of reach", () => {
    const control = controls("registry", false);
    const { checks: outcomes } = observe([UNAVAILABLE], { checks, facts: [], control });
    expect(outcomes[0]).toMatchObject({ outcome: "cantTell", reason: "control-failed" });
  });

  test("that failed while our own side worked has failed", () => {
    expect(outcomesOf(FINE)).toMatchObject({
      "L0.reachable": ["failed", "dns-failed"],
      "L0.tls": ["untested", "not-reached"],
    });
  });

  test("says what failed of ours, how clearly, and what was met, and so does the attempt", () => {
    const { checks: outcomes, attempts } = of(controls("dns", false, false, false));
    expect(outcomes[0]!.because).toMatch(/\(dns\).*: 0 of 3 .* answered, and 2 must\..*EAI_AGAIN/);
    expect(attempts.map(({ control, lost }) => [control, lost])).toEqual(
      Array(3).fill(["failed", "dns"]),
    );
  });

  test("behind the opening that met silence keeps its outcome, and the verdict is not degraded", () => {
    const silent = httpTranscript({ answers: { "tools/list": { timedOut: 15_000 } } });
    const verdictWith = (ok: boolean) => {
      const all = [control("tls", 15, ok)];
      const observation = observe(run([silent]), { checks, facts: [], control: all });
      return assessAlone(verdicts[0], observation);
    };
    expect(verdictWith(true)).toMatchObject({ verdict: "degraded" });
    expect(verdictWith(false)).toMatchObject({ verdict: "unverifiable", reason: "control-failed" });
  });
});
