/** A recorder for tests of what writes to it. */
import type { Clock } from "../clock.ts";
import { Recorder } from "../transcript/recorder.ts";
import type { Spool } from "../transcript/spool.ts";
import { remoteTarget } from "./transcripts.ts";

export const recorderFor = (clock: Clock, spool?: Spool): Recorder =>
  new Recorder(
    {
      probe: { name: "probity", version: "0.0.0" },
      listing: null,
      target: remoteTarget("http://named.example/mcp"),
      kind: "full",
      era: "auto",
      attempt: 1,
    },
    clock,
    spool,
  );
