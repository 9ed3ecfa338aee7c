/** `servers/<namespace>/<name>.json`: all that is published about one listing. */
import { type Entry, type History, observedAt } from "../../methodology/history.ts";
import { latency } from "../../methodology/metrics/latency.ts";
import { uptime } from "../../methodology/metrics/uptime.ts";
import type { VerdictAssessment } from "../../methodology/verdict/assessment.ts";
import { DataError } from "../../probe/errors.ts";
import type { Target, Transcript } from "../../probe/transcript/schema.ts";
import { evidence } from "./evidence.ts";
import type { Judges, Known, Listed, Recorded } from "./input.ts";
import { badgePath, rawPath } from "./paths.ts";
import { recentTranscripts } from "./raw.ts";
import type { CheckRow, FactRow, HistoryRow, ServerPage, TargetPage } from "./schema.ts";
import { BEFORE_ANY_RUN, daysBefore, WINDOW_DAYS } from "./window.ts";

/** `asOf` is the end of the newest run, null before the first. */
export function serverPage(listed: Listed, judges: Judges, asOf: string | null): ServerPage {
  const { name, title, description, repository, website } = listed;
  const targets = listed.targets.map((known, index) =>
    targetPage(name, known, index, judges, asOf ?? BEFORE_ANY_RUN),
  );
  const verdict = targets[0]?.verdicts[0] ?? nothingKnown(judges);
  const badge = { svg: badgePath(name, "svg"), endpoint: badgePath(name, "json") };
  return { name, title, description, repository, website, asOf, verdict, badge, targets };
}

const nothingKnown = (judges: Judges): VerdictAssessment =>
  judges.verdicts[0].assess({ history: [], asOf: BEFORE_ANY_RUN });

function targetPage(
  name: string,
  known: Known,
  index: number,
  judges: Judges,
  asOf: string,
): TargetPage {
  const { target, history } = known;
  const verdicts = judges.verdicts.map((methodology) => methodology.assess({ history, asOf }));
  const shown = shownEntry(history, verdicts[0]!);
  const raw = recentTranscripts(known.transcripts, asOf);
  return {
    key: target.key,
    primary: index === 0,
    kind: target.kind,
    transport: target.kind === "remote" ? target.transport : "stdio",
    address: address(target),
    version: verdicts[0]!.from?.version ?? (target.kind === "package" ? target.version : null),
    verdicts,
    observation: shown ? observationOf(shown, known.transcripts, judges) : null,
    metrics: { uptime: uptime({ history, asOf }), latency: latency({ history, asOf }) },
    history: history
      .filter((entry) => entry.endedAt >= daysBefore(asOf, WINDOW_DAYS))
      .map((entry) => historyRow(entry, judges))
      .reverse(),
    raw: raw.length > 0 ? rawPath(name, index) : null,
  };
}

/** The observation that explains the verdict; the newest one while none gave a verdict. */
export function shownEntry(history: History, verdict: VerdictAssessment): Entry | undefined {
  return history.findLast(({ run }) => run === verdict.from?.run) ?? history.at(-1);
}

function address(target: Target): string {
  switch (target.kind) {
    case "remote":
      return target.url;
    case "command":
      return target.argv.join(" ");
    case "package":
      return packageAddress(target);
  }
}

function packageAddress(target: Extract<Target, { kind: "package" }>): string {
  const { registry, identifier, version } = target;
  switch (registry) {
    case "npm":
      return `${identifier}@${version}`;
    case "pypi":
      return `${identifier}==${version}`;
    case "oci":
      // An image may name its version itself, by a tag or a digest.
      return /[:@][^/]*$/.test(identifier) ? identifier : `${identifier}:${version}`;
    // A bundle is a file of one version.
    case "mcpb":
      return identifier;
  }
}

function observationOf(
  { run, observation }: Entry,
  transcripts: readonly Recorded[],
  judges: Judges,
): TargetPage["observation"] {
  const { kind, attempts, judged } = observation;
  const ofRun = transcripts.filter((recorded) => recorded.run === run);
  const transcript = ofRun.find((recorded) => recorded.transcript?.attempt === judged)?.transcript;
  const withheld = ofRun.some((recorded) => recorded.transcript === null);
  if (!transcript && !withheld) {
    throw new DataError(
      run,
      undefined,
      `no transcript of ${observation.target}, attempt ${judged}`,
    );
  }
  return {
    run,
    kind,
    attempts,
    judged,
    checks: checkRows(observation, transcript ?? null, judges),
    facts: factRows(observation, judges),
    ...(transcript ? {} : { withheld: true }),
  };
}

function checkRows(
  { checks }: Entry["observation"],
  transcript: Transcript | null,
  judges: Judges,
): CheckRow[] {
  const titles = new Map<string, string>(judges.checks.map(({ id, title }) => [id, title]));
  return checks.map(({ check, subject, outcome, reason, because, evidence: refs }) => ({
    check,
    title: titles.get(check) ?? check,
    subject: subject ?? null,
    outcome,
    reason: reason ?? null,
    because,
    evidence: transcript ? refs.map((ref) => evidence(transcript, ref)) : [],
  }));
}

/** In the order of the facts, not of the record, so that pages read alike. */
function factRows({ facts: values }: Entry["observation"], judges: Judges): FactRow[] {
  return judges.facts.flatMap((fact) => {
    const value = values[fact.id];
    if (value === undefined) return [];
    return [{ fact: fact.id, title: fact.title, value, shown: fact.show(value) }];
  });
}

/** What one observation alone says under the current methodology. */
function historyRow(entry: Entry, judges: Judges): HistoryRow {
  const { verdict, reason, from, passed, assessed } = judges.verdicts[0].assess({
    history: [entry],
    asOf: entry.endedAt,
  });
  return {
    run: entry.run,
    kind: entry.observation.kind,
    checkedAt: observedAt(entry),
    version: from?.version ?? entry.observation.version,
    verdict,
    reason,
    passed,
    assessed,
  };
}
