/** A run large enough that its writer can be caught in the act. Free of the test runner. */
import type { NewRun } from "../append.ts";
import { observe } from "../../evaluate.ts";
import { httpTranscript } from "../../testing/transcripts.ts";

const many = Array.from({ length: 400 }, (_, index) => {
  const transcript = httpTranscript({
    answers: { "tools/list": { result: { tools: [], padding: `${index}`.repeat(5000) } } },
  });
  return { ...transcript, listing: `example.fixture/${index}` };
});

const observations = many.map((transcript) => observe([transcript], { checks: [], facts: [] }));

export const newRun: NewRun = {
  kind: "full",
  name: "killed",
  startedAt: "2026-11-30T06:00:00.000Z",
  endedAt: "2026-11-30T06:05:00.000Z",
  probe: { name: "probity", version: "0.0.0", commit: null },
  rules: "0".repeat(64),
  list: "1".repeat(64),
  region: "test",
  judges: { checks: [], facts: [] },
  plan: [],
  skips: [],
  shards: [{ transcripts: many, observations, control: [] }],
};
