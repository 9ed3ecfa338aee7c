/** An observation as a person reads it in a terminal. */
import { stripVTControlCharacters } from "node:util";
import pc from "picocolors";
import wrapAnsi from "wrap-ansi";
import config from "../../probity.config.ts";
import type { VerdictAssessment } from "../../methodology/verdict/assessment.ts";
import type { Check, Outcome } from "../check.ts";
import type { Fact, Json } from "../fact.ts";
import { NOT_REACHED } from "../evaluate.ts";
import type { CheckOutcome, Observation } from "../observation.ts";
import type { Transcript } from "../transcript/schema.ts";
import { concernsStderr, stderrOf } from "./stderr.ts";
import { visible } from "./visible.ts";

export interface Report {
  readonly observation: Observation;
  /** The transcript of the judged attempt. */
  readonly transcript: Transcript;
  readonly assessment: VerdictAssessment;
  readonly checks: readonly Check[];
  readonly facts: readonly Fact[];
  /** Columns of the terminal. */
  readonly width: number;
}

const MARKS: Readonly<Record<Outcome, string>> = {
  passed: pc.green("✓"),
  failed: pc.red("✗"),
  inapplicable: pc.dim("–"),
  untested: pc.yellow("○"),
  cantTell: pc.yellow("?"),
};

/** Facts that the head of a report names, in this order. */
const HEADLINE = ["server_info", "transport", "protocol_version", "auth"];

/** Columns in front of the sentence of a check. */
const HANG = 23;
/** How the sentence of a verdict and the last line name the checks that they count. */
const THAT_RAN = "checks that ran";

/** The whole report, lines ended. */
export function report({
  observation,
  transcript,
  assessment,
  checks,
  facts,
  width,
}: Report): string {
  const columns = Math.min(width, 100);
  const known = new Map(checks.map((check) => [check.id as string, check]));
  const [reached, notReached] = split(observation.checks);
  const speaker = reached.find((outcome) => concernsStderr(outcome, transcript));
  const lines = [
    pc.bold(visible(observation.target)),
    headline(observation, facts),
    "",
    verdictLine(assessment, columns),
    "",
    ...reached.flatMap((outcome) => {
      const said = outcome === speaker ? stderrOf(transcript) : [];
      return rows(outcome, known.get(outcome.check), said, columns);
    }),
    ...notReached.map(([because, ids]) => {
      const text = `${because} ${pc.dim(ids.join(", "))}`;
      return wrap(`${MARKS.untested} ${ids.length} not reached`, text, columns, HANG);
    }),
    "",
    tally(observation.checks, assessment),
  ];
  return `${lines.filter((line) => line !== undefined).join("\n")}\n`;
}

/** The outcomes that say something of their own, and those that only repeat why they were not reached. */
function split(outcomes: readonly CheckOutcome[]) {
  const repeated = new Map<string, string[]>();
  const own: CheckOutcome[] = [];
  for (const outcome of outcomes) {
    const { because, check } = outcome;
    if (!because.startsWith(NOT_REACHED)) own.push(outcome);
    else repeated.set(because, [...(repeated.get(because) ?? []), check]);
  }
  return [own, [...repeated]] as const;
}

function headline(observation: Observation, facts: readonly Fact[]): string | undefined {
  const parts = HEADLINE.flatMap((id) => {
    const fact = facts.find((candidate) => candidate.id === id);
    const value = Object.hasOwn(observation.facts, id) ? observation.facts[id] : undefined;
    return fact && value !== undefined ? [visible(fact.show(value as Json))] : [];
  });
  return parts.length > 0 ? pc.dim(parts.join(" · ")) : undefined;
}

function verdictLine({ verdict, because }: VerdictAssessment, columns: number): string {
  const word = (verdict ?? "no verdict").toUpperCase();
  const paint = { alive: pc.green, degraded: pc.yellow, dead: pc.red, unverifiable: pc.blue };
  const painted = pc.bold((verdict ? paint[verdict] : pc.blue)(word));
  return wrap(painted, visible(because), columns, word.length + 2);
}

/** One line for a check that passed; for a failed one also why it matters and what to do. */
function rows(
  outcome: CheckOutcome,
  check: Check | undefined,
  stderr: readonly string[],
  columns: number,
): string[] {
  const subject = outcome.subject === undefined ? "" : ` (${visible(outcome.subject)})`;
  const head = `${MARKS[outcome.outcome]} ${outcome.check}${subject}`;
  const first = wrap(head, visible(outcome.because), columns, HANG);
  if (outcome.outcome !== "failed") return [first];
  return [
    first,
    ...stderr.map((line) => `  ${pc.dim("stderr")} ${visible(line)}`),
    ...(check
      ? [
          wrap(`  ${pc.dim("why")}`, check.why, columns, 9),
          wrap(`  ${pc.dim("to do")}`, check.fix, columns, 9),
        ]
      : []),
    `  ${pc.dim("more")}   ${pc.cyan(`${config.url}/checks/${outcome.check}`)}`,
  ];
}

/** Counts that the verdict's sentence does not hold already; undefined when there are none. */
function tally(outcomes: readonly CheckOutcome[], { because }: VerdictAssessment) {
  const count = (outcome: Outcome) => outcomes.filter((each) => each.outcome === outcome).length;
  const ran = count("passed") + count("failed");
  const some = (number: number, words: string) => (number > 0 ? [`${number} ${words}`] : []);
  const apart = count("inapplicable");
  const parts = [
    ...(because.includes(THAT_RAN) ? [] : [`${count("passed")} of ${ran} ${THAT_RAN} passed`]),
    ...some(apart, apart === 1 ? "does not apply" : "do not apply"),
    ...some(count("untested"), "untested"),
    ...some(count("cantTell"), "we could not tell"),
  ];
  return parts.length === 0 ? undefined : pc.dim(`${parts.join(", ")}.`);
}

/** A head, and beside it a text whose lines all begin at column `hang`; a long head has a line of its own. */
function wrap(head: string, text: string, columns: number, hang: number): string {
  const lines = wrapAnsi(text, Math.max(20, columns - hang)).split("\n");
  const size = stripVTControlCharacters(head).length;
  const start = size < hang ? head + " ".repeat(hang - size) : `${head}\n${" ".repeat(hang)}`;
  return start + lines.join(`\n${" ".repeat(hang)}`);
}
