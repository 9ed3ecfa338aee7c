/** Small data folders for the tests of the store. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { defineCheck, failed, passed } from "../../check.ts";
import { observe as observeWith } from "../../evaluate.ts";
import { defineFact } from "../../fact.ts";
import { httpTranscript, stdioTranscript } from "../../testing/transcripts.ts";
import type { Transcript } from "../../transcript/schema.ts";
import { exchanges } from "../../views/exchanges.ts";
import type { NewRun } from "../append.ts";
import type { Observe } from "../replay.ts";

/** Two checks and a fact that read bodies, so that a changed body changes what they say. */
const judges = {
  checks: [
    defineCheck({
      id: "L0.answers",
      title: "",
      passesWhen: "",
      why: "",
      fix: "",
      needs: [],
      run(transcript) {
        const replies = exchanges(transcript).filter(({ reply }) => reply?.exact).length;
        return replies > 2
          ? passed(`${replies} replies.`, [0])
          : failed("few", "Few replies.", [0]);
      },
    }),
  ],
  facts: [
    defineFact({
      id: "size",
      title: "",
      describes: "",
      show: String,
      run: ({ events }) =>
        events.reduce((sum, event) => sum + ("data" in event ? event.data.length : 0), 0),
    }),
  ],
};

export const observe: Observe = (attempts, control) =>
  observeWith(attempts, { ...judges, control });

/** A folder that goes with the test. */
export async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "probity-store-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export const transcripts: readonly Transcript[] = [
  httpTranscript(),
  { ...stdioTranscript(), listing: "example.fixture/stdio" },
];

/** A run at an hour of one day. */
export function newRun(hour: number, attempts: readonly Transcript[] = transcripts): NewRun {
  const time = `2026-11-30T${String(hour).padStart(2, "0")}`;
  return {
    kind: "full",
    name: "test",
    startedAt: `${time}:00:00.000Z`,
    endedAt: `${time}:05:00.000Z`,
    probe: { name: "probity", version: "0.0.0", commit: null },
    rules: "0".repeat(64),
    list: "1".repeat(64),
    region: "test",
    plan: attempts.map(({ target }) => target.key),
    skips: [],
    shards: [
      {
        transcripts: attempts,
        observations: attempts.map((each) => observe([each], [])),
        control: [],
      },
    ],
  };
}
