/** Each hostile server by itself: the attempt ends, nothing throws, and the right thing is said. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { checks } from "../../checks/index.ts";
import { evaluate } from "../../evaluate.ts";
import { facts } from "../../facts/index.ts";
import { record } from "../../record.ts";
import type { Transcript } from "../../transcript/schema.ts";
import { JumpingClock } from "../jumping-clock.ts";
import { remoteTarget } from "../transcripts.ts";
import type { KindName } from "./kinds.ts";
import { PROGRAMS, type ProgramName } from "./programs.ts";
import { hostileServer } from "./serve.ts";

/** The check that did not pass, its outcome and its reason; `passed` when all did. */
function judged(transcript: Transcript): string {
  const { checks: outcomes } = evaluate(transcript, { checks, facts });
  const stop = outcomes.find(({ outcome }) => outcome === "failed" || outcome === "cantTell");
  return stop ? `${stop.check} ${stop.outcome} ${stop.reason}` : "passed";
}

const CAPPED = "L0.initialize failed size-cap";
const TOO_MUCH = "L0.initialize cantTell probe-failed";
const SILENT = "L0.initialize failed timeout";

const REMOTES: Readonly<Record<KindName, string>> = {
  "an endless string": CAPPED,
  "an endless array of objects": CAPPED,
  "an array of objects that ends": TOO_MUCH,
  "an endless batch of replies": CAPPED,
  "endless nesting": TOO_MUCH,
  // Its result names no version, whatever else it holds.
  "deep nesting that ends": "L0.protocol_version failed unpublished-version",
  "an endless line of events": CAPPED,
  "endless short lines of one event": CAPPED,
  "replies to somebody else": TOO_MUCH,
  "large replies to somebody else": TOO_MUCH,
  "endless notifications": TOO_MUCH,
  "endless pings": TOO_MUCH,
  "endless comments": CAPPED,
  "endless comments between blank lines": TOO_MUCH,
  "endless blank lines": TOO_MUCH,
  "a byte a second": SILENT,
  "a gzip bomb": CAPPED,
  "a head of one long line": CAPPED,
  "a head of many lines": CAPPED,
  "endless pages": "passed",
  "endless pages of half a megabyte": "passed",
  "pages of many tools": "passed",
  "a list of a million nothings": "L1.tools_list cantTell probe-failed",
};

describe("a server with", () => {
  test.each(Object.entries(REMOTES))(
    "%s: %s",
    async (kind, expected) => {
      const server = hostileServer(kind as KindName).listen(0, "127.0.0.1");
      onTestFinished(() => {
        server.closeAllConnections();
        server.close();
      });
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      const transcript = await record(remoteTarget(`http://127.0.0.1:${port}/mcp`), {
        allowLoopback: true,
        clock: new JumpingClock(),
      });
      expect(judged(transcript)).toBe(expected);
    },
    20_000,
  );
});

const STDIO: Readonly<Record<ProgramName, string>> = {
  "yes without end": TOO_MUCH,
  "a line of 40 MB": CAPPED,
  "an endless line": CAPPED,
  "an endless array": CAPPED,
  "notifications without end": TOO_MUCH,
  "noise on standard error": SILENT,
};

describe.concurrent("a program with", () => {
  test.each(Object.entries(STDIO))(
    "%s: %s",
    async (name, expected) => {
      const argv = [...PROGRAMS[name as ProgramName]] as [string, ...string[]];
      const target = { kind: "command", key: name, argv, environment: {}, missing: [] } as const;
      const transcript = await record(
        { ...target, argv, missing: [] },
        { launch: { argv, shown: argv, cwd: import.meta.dirname, environment: {} } },
      );
      expect(judged(transcript)).toBe(expected);
      const last = transcript.events.findLast(({ type }) => type === "exited");
      expect(last).toBeDefined();
    },
    30_000,
  );
});
