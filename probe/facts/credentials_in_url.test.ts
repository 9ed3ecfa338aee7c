import { describe, expect, test } from "vitest";
import { httpTranscript, remoteTarget, stdioTranscript } from "../testing/transcripts.ts";
import fact from "./credentials_in_url.ts";

const listed = (url: string) => fact.run(httpTranscript({ target: remoteTarget(url) }));
const answered = (raw: string, status: number) =>
  fact.run(httpTranscript({ answers: { initialize: { raw, status } }, requests: [] }));

describe("named", () => {
  test.each([
    ["https://mcp.example/mcp?api_key={KEY}", ["api_key"]],
    ["https://mcp.example/mcp?x=1&token=&Access-Token=%7BT%7D", ["Access-Token", "token"]],
  ])("by the listing %s", (url, names) => {
    expect(listed(url)).toEqual(names);
  });

  test.each([
    ["Missing query parameter api_key", 400, ["api_key"]],
    ["Unauthorized: add ?token=YOUR_TOKEN to the URL", 401, ["token"]],
  ])("by the answer %s", (raw, status, names) => {
    expect(answered(raw, status)).toEqual(names);
    expect(fact.show(names)).toBe(names.join(", "));
  });
});

describe("absent", () => {
  test.each([
    "https://mcp.example/mcp",
    "https://mcp.example/mcp?page=&q={query}",
    "https://mcp.example/mcp?monkey={X}",
    "https://mcp.example/token/{token}",
    "https://mcp.example/mcp#token=",
  ])("in %s", (url) => {
    expect(listed(url)).toBeUndefined();
  });

  test("when an answer asks for no login", () => {
    expect(answered("Missing query parameter key", 404)).toBeUndefined();
    expect(answered("Send an Authorization header", 401)).toBeUndefined();
  });

  test("for a process", () => {
    expect(fact.run(stdioTranscript())).toBeUndefined();
  });
});
