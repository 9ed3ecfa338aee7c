/** An observation as a person reads it in a terminal. */
import pc from "picocolors";
import wrapAnsi from "wrap-ansi";
import config from "../../probity.config.ts";
import type { VerdictAssessment } from "../../methodology/verdict/assessment.ts";
import type { Check, Outcome } from "../check.ts";
import type { Fact, Json } from "../fact.ts";
import type { CheckOutcome, Observation } from "../observation.ts";
import { visible } from "./visible.ts";

export interface Report {
  readonly observation: Observation;
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

/** The whole report, lines ended. */
export function report({ observation, assessment, checks, facts, width }: Report): string {
  const columns = Math.min(width, 100);
  const known = new Map(checks.map((check) => [check.id as string, check]));
  const lines = [
    pc.bold(visible(observation.target)),
    headline(observation, facts),
    "",
    verdictLine(assessment, columns),
    "",
    ...observation.checks.flatMap((outcome) => rows(outcome, known.get(outcome.check), columns)),
    "",
    tally(observation.checks),
  ];
  return `${lines.filter((line) => line !== undefined).join("\n")}\n`;
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
  return wrap(`${painted}  ${visible(because)}`, columns, 2);
}

/** One line for a check that passed; for a failed one also why it matters and what to do. */
function rows(outcome: CheckOutcome, check: Check | undefined, columns: number): string[] {
  const subject = outcome.subject === undefined ? "" : ` (${visible(outcome.subject)})`;
  const id = `${outcome.check}${subject}`.padEnd(20);
  const head = `${MARKS[outcome.outcome]} ${id} ${visible(outcome.because)}`;
  if (outcome.outcome !== "failed") return [wrap(head, columns, 23)];
  return [
    wrap(head, columns, 23),
    ...(check
      ? [
          wrap(`${pc.dim("why")}   ${check.why}`, columns, 8, 2),
          wrap(`${pc.dim("to do")} ${check.fix}`, columns, 8, 2),
        ]
      : []),
    `  ${pc.cyan(`${config.url}/checks/${outcome.check}`)}`,
  ];
}

function tally(outcomes: readonly CheckOutcome[]): string {
  const count = (outcome: Outcome) => outcomes.filter((each) => each.outcome === outcome).length;
  const ran = count("passed") + count("failed");
  const parts = [
    `${count("passed")} of ${ran} checks that ran passed`,
    count("failed") > 0 ? `${count("failed")} failed` : undefined,
    count("inapplicable") > 0 ? `${count("inapplicable")} do not apply` : undefined,
    count("untested") > 0 ? `${count("untested")} untested` : undefined,
    count("cantTell") > 0 ? `${count("cantTell")} we could not tell` : undefined,
  ];
  return pc.dim(parts.filter((part) => part !== undefined).join(", ") + ".");
}

/** Wraps a paragraph to some columns: the first line stands at `indent`, the others at `hang`. */
function wrap(text: string, columns: number, hang: number, indent = 0): string {
  const lines = wrapAnsi(text, Math.max(20, columns - hang)).split("\n");
  return lines.map((line, index) => " ".repeat(index === 0 ? indent : hang) + line).join("\n");
}
