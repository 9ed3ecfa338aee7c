/** `raw/<namespace>/<name>/<n>.jsonl`: what was recorded, for anyone to judge again. */
import { z } from "zod";
import { bytesOf } from "../../probe/transcript/body.ts";
import { Transcript } from "../../probe/transcript/schema.ts";
import type { Recorded } from "./input.ts";
import { daysBefore, WINDOW_DAYS } from "./window.ts";

/** Most transcripts of one target; the repository holds the others. */
export const RAW_LIMIT = 20;

/**
 * The transcripts offered for download, newest first; without those that are withheld.
 */
export function recentTranscripts(
  transcripts: readonly Recorded[],
  asOf: string,
): readonly Transcript[] {
  const start = daysBefore(asOf, WINDOW_DAYS);
  return transcripts
    .flatMap(({ transcript }) => transcript ?? [])
    .filter(({ startedAt }) => startedAt >= start)
    .sort((a, b) => (a.startedAt < b.startedAt ? 1 : a.startedAt > b.startedAt ? -1 : 0))
    .slice(0, RAW_LIMIT);
}

/** Portable transcripts, bodies inline, one a line. */
export function rawLines(transcripts: readonly Transcript[]): Uint8Array {
  const lines = transcripts.map((transcript) => JSON.stringify(z.encode(Transcript, transcript)));
  return bytesOf(lines.map((line) => `${line}\n`).join(""));
}
