import { expect, test } from "vitest";
import { httpTranscript, stdioTranscript } from "../testing/transcripts.ts";
import { bytesOf } from "../transcript/body.ts";
import type { Event } from "../transcript/schema.ts";
import fact from "./notification.ts";

const taken = (answer: Parameters<typeof answers>[0]) => fact.run(httpTranscript(answers(answer)));
const answers = (
  answer: { raw: string; status: number } | { timedOut: number } | { broke: string },
) => ({ answers: { "notifications/initialized": answer } });

test("tells a status alone, a body, and no end apart", () => {
  expect(taken({ raw: "", status: 202 })).toBe("status");
  expect(taken({ raw: "Accepted", status: 202 })).toBe("body");
  expect(taken({ timedOut: 5000 })).toBe("hangs");
  expect(["status", "body", "hangs"].map((value) => fact.show(value as "body"))).toEqual([
    "by a status alone",
    "with a body",
    "never ends",
  ]);
});

test.each([
  ["status", "", "moved"],
  ["body", "Accepted", ""],
])("of a redirected one the last answer counts: by %s", (value, raw, moved) => {
  const plain = httpTranscript(answers({ raw, status: 202 }));
  const events = plain.events.flatMap((event): Event[] => {
    if (event.type !== "sent" || event.purpose !== "initialized") return [event];
    return [
      { ...event, exchange: 90, replies: 90 },
      { type: "responded", at: 20, exchange: 90, status: 307, headers: [["location", "/x"]] },
      ...(moved === ""
        ? []
        : [{ type: "received", at: 20, channel: 90, data: bytesOf(moved) } as const]),
      { type: "ended", at: 20, channel: 90 },
      { ...event, continues: 90 },
    ];
  });
  expect(fact.run({ ...plain, events })).toBe(value);
});

test("absent when it broke, and on a pipe", () => {
  expect(taken({ broke: "ECONNRESET" })).toBeUndefined();
  expect(fact.run(stdioTranscript())).toBeUndefined();
});

test("one that we stopped listening to soon is not said to hang", () => {
  expect(taken({ timedOut: 900 })).toBeUndefined();
});
