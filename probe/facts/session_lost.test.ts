import { expect, test } from "vitest";
import { httpTranscript, INITIALIZE, stdioTranscript, TOOLS } from "../testing/transcripts.ts";
import type { Transcript } from "../transcript/schema.ts";
import fact from "./session_lost.ts";

const initialize = { result: INITIALIZE, headers: { "mcp-session-id": "s1" } };
const list = { method: "tools/list", purpose: "list" } as const;

/** The list is refused, the session opened again, and the list asked once more with this status. */
function reopened(status: number): Transcript {
  const made = httpTranscript({
    answers: {
      initialize: [initialize, initialize],
      "tools/list": { raw: "", status: 404 },
      "tools/list again": { result: TOOLS, status },
    },
    requests: [
      list,
      { method: "initialize", purpose: "reopening" },
      { ...list, method: "tools/list again" },
    ],
  });
  const events = made.events.map((event) =>
    event.type === "sent" && event.exchange === 4 ? { ...event, continues: 2 } : event,
  );
  return { ...made, events };
}

/** The answer carries the id of the message that was repeated, as the repetition does. */
function answered(transcript: Transcript): Transcript {
  const first = transcript.events.find((event) => event.type === "sent" && event.exchange === 2);
  const events = transcript.events.map((event) => {
    if (event.type === "sent" && event.exchange === 4 && first?.type === "sent")
      return { ...event, data: first.data };
    return event;
  });
  return { ...transcript, events };
}

test("is true when the request was answered in another session", () => {
  const value = fact.run(answered(reopened(200)));
  expect(value).toBe(true);
  expect(fact.show(true)).toBe("forgot its session");
});

test.each([
  ["for a request that another session did not help", answered(reopened(404))],
  ["for a session that held", httpTranscript({ answers: { initialize } })],
  ["without a session", httpTranscript()],
  ["over a pipe", stdioTranscript()],
])("is absent %s", (_, transcript) => {
  expect(fact.run(transcript)).toBeUndefined();
});
