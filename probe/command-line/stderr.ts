/** What a process said on standard error, as far as a report has room for it. */
import type { CheckOutcome } from "../observation.ts";
import { concat, textOf } from "../transcript/body.ts";
import type { Transcript } from "../transcript/schema.ts";

/** Lines that are shown, from the end: the cause of a crash stands there. */
const LINES = 40;
/** Characters of a line that are shown. */
const COLUMNS = 300;

/** Whether standard error may explain an outcome: it did not open, or its evidence says so. */
export function concernsStderr({ check, outcome, evidence }: CheckOutcome, transcript: Transcript) {
  if (outcome !== "failed") return false;
  return check.startsWith("L0.") || evidence.some((ref) => partOf(transcript.events[ref]) !== null);
}

/** Everything that was said there in the attempt, cut to its last lines. */
export function stderrOf({ events }: Transcript): readonly string[] {
  // A fresh process is asked in the other protocol era, and mostly says the same again.
  const said = new Set(processesIn(events).map((own) => textOf(concat(own))));
  const lines = [...said]
    .flatMap((text) => text.split("\n"))
    .map((line) => line.trimEnd())
    .filter((line) => line !== "")
    .map((line) => (line.length > COLUMNS ? `${line.slice(0, COLUMNS)} …` : line));
  const left = lines.length - LINES;
  return left > 0 ? [`… ${left} more before`, ...lines.slice(-LINES)] : lines;
}

/** The bytes on standard error of each process; a character may come in two pieces. */
function processesIn(events: Transcript["events"]): readonly (readonly Uint8Array[])[] {
  const processes: Uint8Array[][] = [[]];
  for (const event of events) {
    if (event.type === "spawned") processes.push([]);
    const part = partOf(event);
    if (part) processes.at(-1)!.push(part);
  }
  return processes;
}

function partOf(event: Transcript["events"][number] | undefined): Uint8Array | null {
  return event?.type === "received" && event.channel === "stderr" ? event.data : null;
}
