import { describe, expect, onTestFinished, test } from "vitest";
import { mannersAt, paceFor } from "./politeness.ts";
import { record } from "./record.ts";
import { limit } from "./rules.ts";
import { ManualClock } from "./testing/manual-clock.ts";
import { serveMcp } from "./testing/servers/mcp.ts";
import { remoteTarget, stdioTranscript } from "./testing/transcripts.ts";
import { eventsOf } from "./views/view.ts";

const GAP = limit("host-gap");

describe("two targets share their manners", () => {
  test.each<[string, string, string, boolean]>([
    ["on one host", "https://a.example/x", "https://a.example/y", true],
    ["on one host in another spelling", "https://A.example/x", "https://a.example./x", true],
    ["on two ports of one host", "https://a.example/x", "https://a.example:8443/x", true],
    ["not on two hosts", "https://a.example/x", "https://b.example/x", false],
    ["not on two ports of this machine", "http://127.0.0.1:1/x", "http://127.0.0.1:2/x", false],
    ["on one port of this machine", "http://127.0.0.1:1/x", "http://127.0.0.1:1/y", true],
  ])("%s", (_, one, other, shared) => {
    const mannersOf = mannersAt(new ManualClock());
    const [a, b] = [one, other].map((url) => mannersOf(remoteTarget(url)));
    expect(a === b).toBe(shared);
  });
});

describe("a gap between requests", () => {
  test("is kept also by two that ask at once, and by one that comes a little later", async () => {
    const clock = new ManualClock();
    const pace = paceFor(remoteTarget("https://a.example/x"), clock)!;
    const begun = clock.now();
    const left: number[] = [];
    const leave = () => pace().then(() => void left.push(clock.now() - begun));
    await leave();
    const both = [leave(), leave()];
    clock.advance(GAP);
    await both[0];
    clock.advance(GAP);
    await both[1];
    clock.advance(GAP * 10);
    await leave();
    expect(left).toEqual([0, GAP, 2 * GAP, 12 * GAP]);
  });

  test.each<[string, Parameters<typeof paceFor>[0]]>([
    ["a server on this machine", remoteTarget("http://localhost:4000/mcp")],
    ["a program", stdioTranscript().target],
  ])("is not kept for %s", (_, target) => {
    expect(paceFor(target, new ManualClock())).toBeUndefined();
  });

  test("separates every two requests of a conversation with a remote host", async () => {
    const server = await serveMcp();
    onTestFinished(() => server.stop());
    /** Only the gaps pass; every other limit stands still. */
    class Gaps extends ManualClock {
      override after(ms: number, act: () => void): () => void {
        const cancel = super.after(ms, act);
        if (ms <= GAP && ms !== limit("linger")) setImmediate(() => this.advance(ms));
        return cancel;
      }
    }
    const url = server.url.replace("127.0.0.1", "mcp.example");
    const transcript = await record(remoteTarget(url), {
      clock: new Gaps(),
      allowLoopback: true,
      resolve: async () => [{ address: "127.0.0.1", family: 4 }],
    });
    const sent = eventsOf(transcript.events, "sent").map(({ at }) => at);
    expect(sent.length).toBeGreaterThan(3);
    const gaps = sent.slice(1).map((at, index) => at - sent[index]!);
    expect(gaps.filter((gap) => gap < GAP)).toEqual([]);
  });
});
