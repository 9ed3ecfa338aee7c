/** 429 inside the battery. */
import { describe, expect, test } from "vitest";
import { type Clock, systemClock } from "../clock.ts";
import { inShort, probeAndJudge, serve } from "../testing/judged.ts";
import { answerHealthily } from "../testing/servers/http.ts";
import { httpTranscript } from "../testing/transcripts.ts";
import { exchanges } from "../views/exchanges.ts";
import { retryAfter } from "../views/retry-after.ts";

/** Refuses `method` so often, with a Retry-After. */
function busy(method: string, times: number, after: string) {
  let refused = 0;
  return serve((one, response) => {
    if (one.message["method"] !== method || refused >= times) return answerHealthily(one, response);
    refused += 1;
    return response.writeHead(429, { "retry-after": after }).end("slow down");
  });
}

/** Pauses of 5 s and more pass at once; `pauses` collects them. */
function hurried(): { clock: Clock; pauses: number[] } {
  const pauses: number[] = [];
  const clock: Clock = {
    now: systemClock.now,
    after(ms, act) {
      if (ms !== 30_000) return systemClock.after(ms, act);
      pauses.push(ms);
      return systemClock.after(0, act);
    },
  };
  return { clock, pauses };
}

const lists = (lines: readonly string[]) => lines.filter((line) => line.includes("tools/list"));

describe("a server that asks us to slow down", () => {
  test("in the battery is asked once more after the pause it names", async () => {
    const server = await busy("tools/list", 1, "30");
    const { clock, pauses } = hurried();
    const { failed, outcomes, transcript } = await probeAndJudge(`${server.origin}/mcp`, { clock });
    expect(pauses).toEqual([30_000]);
    expect(failed).toEqual([]);
    expect(outcomes.get("L1.tools_list")).toBe("passed");
    expect(outcomes.get("L1.unknown_method")).toBe("passed");
    const list = exchanges(transcript).find(({ method }) => method === "tools/list")!;
    expect(list.hops.map(({ response }) => response?.status)).toEqual([429, 200]);
  });

  test("twice is left alone", async () => {
    const server = await busy("tools/list", 9, "0");
    const { failed, outcomes, reasons } = await probeAndJudge(`${server.origin}/mcp`);
    expect(lists(inShort(server.arrived))).toHaveLength(2);
    expect(failed).toEqual([]);
    expect(outcomes.get("L1.tools_list")).toBe("untested");
    expect(reasons.get("L1.unknown_method")).toBe("rate-limited");
  });

  test.each(["61", "soon", "", "-1", "1e1"])(
    "with Retry-After %j is not asked again",
    async (after) => {
      const server = await busy("tools/list", 9, after);
      const { outcomes } = await probeAndJudge(`${server.origin}/mcp`);
      expect(lists(inShort(server.arrived))).toHaveLength(1);
      expect(outcomes.get("L1.tools_list")).toBe("untested");
    },
  );

  test("at the opening is not asked again in this attempt", async () => {
    const server = await busy("initialize", 1, "0");
    const { reasons } = await probeAndJudge(`${server.origin}/mcp`);
    expect(inShort(server.arrived)).toEqual(["POST /mcp initialize"]);
    expect(reasons.get("L0.initialize")).toBe("rate-limited");
  });
});

test.each([
  ["5", 5000],
  ["Mon, 30 Nov 2026 12:00:30 GMT", 30_000],
  ["Mon, 30 Nov 2026 11:00:00 GMT", 0],
  ["Mon, 99 Nov 2026 11:00:00 GMT", undefined],
  ["tomorrow", undefined],
])("Retry-After %j means %j ms", (value, ms) => {
  const transcript = httpTranscript({
    answers: { initialize: { raw: "", status: 429, headers: { "Retry-After": value } } },
  });
  const now = Date.parse("2026-11-30T12:00:00Z");
  expect(retryAfter(exchanges(transcript)[0]!, now)).toBe(ms);
});
