import { expect, test } from "vitest";
import { httpTranscript, remoteTarget, stdioTranscript } from "../testing/transcripts.ts";
import fact from "./transport.ts";

test.each([
  ["streamable HTTP", httpTranscript(), "streamable-http"],
  [
    "HTTP+SSE",
    httpTranscript({ target: { ...remoteTarget("https://mcp.example/sse"), transport: "sse" } }),
    "sse",
  ],
  ["stdio", stdioTranscript(), "stdio"],
])("%s is told from the target", (shown, transcript, value) => {
  expect(fact.run(transcript)).toBe(value);
  expect(fact.show(fact.run(transcript)!)).toBe(shown);
});
