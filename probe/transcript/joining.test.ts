/** When received chunks become one event, and where their bytes are kept. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { limit } from "../rules.ts";
import { recorderFor } from "../testing/recorder.ts";
import { bytesOf, textOf } from "./body.ts";
import { Chunk } from "./chunk.ts";
import type { Event } from "./schema.ts";
import { Spool } from "./spool.ts";

const EXACT = limit("exact-chunks");
const RESOLUTION = limit("chunk-resolution");

function clockAt(start = 0) {
  let now = start;
  return { now: () => now, after: () => () => {}, move: (ms: number) => void (now += ms) };
}

/** A recorder that has received as many chunks as are recorded one by one. */
function worn() {
  const clock = clockAt();
  const recorder = recorderFor(clock);
  for (let count = 0; count < EXACT; count += 1) recorder.received(1, bytesOf("x"));
  return { clock, recorder };
}

const received = (events: readonly Event[]) =>
  events.flatMap((event) => (event.type === "received" ? [textOf(event.data)] : []));

describe("chunks that come close together", () => {
  test("are recorded one by one at first", () => {
    expect(received(worn().recorder.events)).toEqual(Array<string>(EXACT).fill("x"));
  });

  test("become one event after those, and listeners hear of each", () => {
    const { recorder } = worn();
    const heard: number[] = [];
    recorder.listen((_event, ref) => heard.push(ref));
    for (const text of ["a", "b", "c"]) recorder.received(1, bytesOf(text));
    expect(received(recorder.events).slice(EXACT - 1)).toEqual(["xabc"]);
    expect(heard).toEqual([EXACT - 1, EXACT - 1, EXACT - 1]);
  });

  test.each<[string, (made: ReturnType<typeof worn>) => void]>([
    ["on another channel", ({ recorder }) => recorder.received(2, bytesOf("b"))],
    [
      "behind another event",
      ({ recorder }) => {
        recorder.add("ended", { channel: 2 });
        recorder.received(1, bytesOf("b"));
      },
    ],
    [
      "too late",
      ({ recorder, clock }) => {
        clock.move(RESOLUTION);
        recorder.received(1, bytesOf("b"));
      },
    ],
    [
      "too large together",
      ({ recorder }) => recorder.received(1, new Uint8Array(limit("chunk")).fill(98)),
    ],
  ])("do not join %s", (_, act) => {
    const made = worn();
    act(made);
    expect(received(made.recorder.events)).toHaveLength(EXACT + 1);
    expect(received(made.recorder.events).at(-2)).toBe("x");
  });
});

test("a chunk reads the same while it grows and when the spool has it", () => {
  const spool = new Spool();
  const chunk = new Chunk(spool, bytesOf("ab"));
  const event: { data?: Uint8Array } = {};
  chunk.settle(event);
  chunk.add(bytesOf("cd"));
  expect(textOf(event.data!)).toBe("abcd");
  chunk.store();
  chunk.store();
  expect([textOf(event.data!), spool.size]).toEqual(["abcd", 4]);
  expect(textOf({ ...event }.data!)).toBe("abcd");
});

describe("when our disk takes no more", () => {
  const nowhere = join(tmpdir(), "probity-no-such-folder", "at-all");
  const piece = (text: string) => new Uint8Array(limit("spill") / 2 + 1).fill(text.charCodeAt(0));

  const fullRecorder = () => recorderFor(clockAt(), new Spool(nowhere));

  test("the record says so, keeps what came before, and goes on with other events", () => {
    const recorder = fullRecorder();
    for (const text of ["a", "b", "c", "d"]) recorder.received("stdout", piece(text));
    recorder.add("stopping", { by: "stdin" });
    expect(recorder.events).toMatchObject([
      { type: "received" },
      { type: "received" },
      { type: "capped", channel: "stdout", limit: piece("a").length, of: "space" },
      { type: "stopping" },
    ]);
    expect(received(recorder.events).map((text) => text[0])).toEqual(["a", "b"]);
  });

  test("a long message of ours stays in memory", () => {
    const recorder = fullRecorder();
    recorder.received("stdout", piece("a"));
    const data = piece("b");
    recorder.add("sent", { exchange: 1, purpose: "answer", replies: "stdout", data });
    expect(recorder.events.map(({ type }) => type)).toEqual(["received", "capped", "sent"]);
    const [, , sent] = recorder.events;
    expect(sent?.type === "sent" && Buffer.compare(sent.data, data)).toBe(0);
  });
});
