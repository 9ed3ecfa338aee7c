import { expect, test } from "vitest";
import { httpTranscript, stdioTranscript } from "../testing/transcripts.ts";
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

test("absent when it broke, and on a pipe", () => {
  expect(taken({ broke: "ECONNRESET" })).toBeUndefined();
  expect(fact.run(stdioTranscript())).toBeUndefined();
});

test("one that we stopped listening to soon is not said to hang", () => {
  expect(taken({ timedOut: 900 })).toBeUndefined();
});
