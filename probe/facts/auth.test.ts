import { describe, expect, test } from "vitest";
import { httpTranscript, stdioTranscript } from "../testing/transcripts.ts";
import fact from "./auth.ts";

const gated = (challenge: string | undefined, status = 401) => {
  const headers = challenge === undefined ? {} : { "WWW-Authenticate": challenge };
  const initialize = { raw: "", status, headers };
  return fact.run(httpTranscript({ answers: { initialize }, requests: [] }));
};

describe("the login is", () => {
  test.each([
    ["oauth", 'Bearer resource_metadata="https://mcp.example/.well-known/x"'],
    ["bearer", 'Bearer realm="x"'],
    ["bearer", 'Basic realm="a, b", bearer'],
    ["other", "Negotiate"],
    ["unadvertised", undefined],
  ])("%s with the challenge %s", (model, challenge) => {
    expect(gated(challenge)).toEqual({ model, where: "opening" });
  });

  test("none when the conversation met no gate", () => {
    expect(fact.run(stdioTranscript())).toEqual({ model: "none", where: null });
    expect(fact.show({ model: "none", where: null })).toBe("no login");
  });

  test("said to begin where it was met", () => {
    const transcript = httpTranscript({ answers: { "tools/list": { raw: "", status: 401 } } });
    const value = fact.run(transcript)!;
    expect(value).toEqual({ model: "unadvertised", where: "lists" });
    expect(fact.show(value)).toBe("login: unadvertised, from the lists on");
  });
});

test("absent when the server refused for another reason", () => {
  expect(gated(undefined, 403)).toBeUndefined();
  expect(gated(undefined, 503)).toBeUndefined();
});
