import { expect, test } from "vitest";
import { httpTranscript, sseTranscript, stdioTranscript } from "../testing/transcripts.ts";
import fact from "./transport.ts";

const { target: newer } = httpTranscript();
const { target: older } = sseTranscript();
const broken = { initialize: { broke: "ECONNRESET" } } as const;

test.each([
  ["streamable HTTP that answered", "streamable HTTP", httpTranscript(), "streamable-http"],
  ["HTTP+SSE that answered", "HTTP+SSE", sseTranscript(), "sse"],
  ["HTTP+SSE behind a listing of the newer", "HTTP+SSE", sseTranscript({ target: newer }), "sse"],
  [
    "streamable HTTP behind a listing of the older",
    "streamable HTTP",
    httpTranscript({ target: older }),
    "streamable-http",
  ],
  [
    "the listed transport when nothing answered",
    "HTTP+SSE",
    sseTranscript({ answers: broken }),
    "sse",
  ],
  ["stdio", "stdio", stdioTranscript(), "stdio"],
])("%s is %s", (_, shown, transcript, value) => {
  expect(fact.run(transcript)).toBe(value);
  expect(fact.show(fact.run(transcript)!)).toBe(shown);
});
