import { describe, expect, test } from "vitest";
import { document, PUBLISHED, SERVER } from "../testing/login.ts";
import { type Answers, httpTranscript, stdioTranscript } from "../testing/transcripts.ts";
import type { Event } from "../transcript/schema.ts";
import fact from "./auth.ts";

const refused = (challenge: string | undefined, status = 401, raw = "") => {
  const headers = challenge === undefined ? {} : { "WWW-Authenticate": challenge };
  const initialize = { raw, status, headers };
  return httpTranscript({ answers: { initialize }, requests: [] });
};
const gated = (challenge: string | undefined, status = 401, raw = "") =>
  fact.run(refused(challenge, status, raw));

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

  test.each([
    ["words", undefined, 403, "API key required"],
    ["words in a 400", undefined, 400, "Missing query parameter api_key"],
  ])("unadvertised when it was asked for by %s", (_, challenge, status, raw) => {
    expect(gated(challenge, status, raw)).toEqual({ model: "unadvertised", where: "opening" });
  });

  test("bearer when a 403 says so", () => {
    expect(gated("Bearer", 403)).toEqual({ model: "bearer", where: "opening" });
  });

  test("none when the conversation met no gate", () => {
    expect(fact.run(stdioTranscript())).toEqual({ model: "none", where: null });
    expect(fact.show({ model: "none", where: null })).toBe("no login");
  });
});

describe("once it was looked up, the login is", () => {
  const after = (challenge: string | undefined, ...documents: unknown[]) => {
    const transcript = refused(challenge);
    const events = documents.flatMap((json, index): Event[] =>
      document(`https://mcp.example/${index}`, json, { exchange: 90 + index }),
    );
    return fact.run({ ...transcript, events: [...transcript.events, ...events] })?.model;
  };

  test.each<[string, string | undefined, unknown[]]>([
    ["oauth", undefined, [PUBLISHED, SERVER]],
    ["oauth", "Bearer", [PUBLISHED, SERVER]],
    ["oauth", "Bearer", [{ nothing: true }, SERVER]],
    ["bearer", 'Bearer resource_metadata="https://mcp.example/0"', [{ nothing: true }]],
    ["bearer", "Bearer", [PUBLISHED]],
    ["other", "Negotiate", [PUBLISHED]],
    ["unadvertised", undefined, [PUBLISHED]],
  ])("%s with the challenge %s and %j", (model, challenge, documents) => {
    expect(after(challenge, ...documents)).toBe(model);
  });
});

describe("the login begins", () => {
  test.each<[string, Answers, string]>([
    [
      "initialized",
      { "notifications/initialized": { raw: "", status: 401 } },
      "unadvertised, from the notification that we are ready on",
    ],
    ["lists", { "tools/list": { raw: "", status: 401 } }, "unadvertised, from the lists on"],
    [
      "unknown-method",
      { "probe/unknown-method": { raw: "", status: 401 } },
      "unadvertised, from the unknown method on",
    ],
  ])("at %s", (where, answers, shown) => {
    const value = fact.run(httpTranscript({ answers }))!;
    expect(value).toEqual({ model: "unadvertised", where });
    expect(fact.show(value)).toBe(shown);
  });

  test.each(["call", "bad-input"] as const)("at the calls (%s)", (purpose) => {
    const requests = [{ method: "tools/call", purpose }];
    const answers = { "tools/call": { raw: "", status: 401 } };
    expect(fact.run(httpTranscript({ requests, answers }))).toMatchObject({ where: "calls" });
  });

  test.each(["other-era", "auth-metadata", "goodbye", "answer", "resume"] as const)(
    "nowhere, when only what asks for nothing met one (%s)",
    (purpose) => {
      const requests = [{ method: "x", purpose }];
      const answers = { x: { raw: "", status: 401 } };
      expect(fact.run(httpTranscript({ requests, answers }))).toEqual({
        model: "none",
        where: null,
      });
    },
  );
});

test("absent when the server refused for another reason", () => {
  expect(gated(undefined, 403)).toBeUndefined();
  expect(gated(undefined, 503)).toBeUndefined();
});
