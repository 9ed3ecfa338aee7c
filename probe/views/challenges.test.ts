import { describe, expect, test } from "vitest";
import { httpTranscript, stdioTranscript } from "../testing/transcripts.ts";
import type { Event } from "../transcript/schema.ts";
import { challengesOf, parseChallenges } from "./challenges.ts";
import { exchanges } from "./exchanges.ts";

type Plain = [scheme: string, parameters?: Record<string, string>, token68?: string];

const read = (value: string): Plain[] =>
  parseChallenges(value).map(({ scheme, parameters, token68 }) => [
    scheme,
    Object.fromEntries(parameters),
    ...(token68 === undefined ? [] : ([token68] as const)),
  ]) as Plain[];

describe("a header value holds", () => {
  test.each<[string, string, Plain[]]>([
    ["nothing", "", []],
    ["a scheme alone", "Negotiate", [["negotiate", {}]]],
    [
      "a scheme and its parameters",
      'Bearer realm="x", error=invalid_token',
      [["bearer", { realm: "x", error: "invalid_token" }]],
    ],
    [
      "several challenges",
      'Basic realm="a", Bearer realm="b", scope="c d", Negotiate',
      [
        ["basic", { realm: "a" }],
        ["bearer", { realm: "b", scope: "c d" }],
        ["negotiate", {}],
      ],
    ],
    [
      "commas, schemes and equals signs in quotes",
      'Basic realm="a, Bearer x=\\"y\\"", charset="UTF-8"',
      [["basic", { realm: 'a, Bearer x="y"', charset: "UTF-8" }]],
    ],
    ["an escaped backslash before the end", 'Basic realm="a\\\\"', [["basic", { realm: "a\\" }]]],
    ["an empty quoted string", 'Basic realm=""', [["basic", { realm: "" }]]],
    [
      "one value instead of parameters, and another challenge",
      'Negotiate YWJj+/-._~==, Bearer realm="x"',
      [
        ["negotiate", {}, "YWJj+/-._~=="],
        ["bearer", { realm: "x" }],
      ],
    ],
    [
      "schemes and names in any case, values as they are",
      'BEARER Resource_Metadata="https://A.example/X"',
      [["bearer", { resource_metadata: "https://A.example/X" }]],
    ],
    ["white space around the equals sign", 'Basic realm = "x"', [["basic", { realm: "x" }]]],
    ["empty elements", ' , ,Basic realm="x",, ', [["basic", { realm: "x" }]]],
    [
      "a name twice, of which the first counts",
      "Basic realm=a, realm=b",
      [["basic", { realm: "a" }]],
    ],
  ])("%s", (_, value, expected) => {
    expect(read(value)).toEqual(expected);
  });
});

describe("what breaks the grammar is skipped:", () => {
  test.each<[string, string, Plain[]]>([
    ["a quote that is never closed", 'Bearer realm="x, y', [["bearer", { realm: "x, y" }]]],
    ["a lone backslash at the end", 'Bearer realm="x\\', [["bearer", { realm: "x" }]]],
    ["a piece that starts with no token", '"x" y, Bearer realm="z"', [["bearer", { realm: "z" }]]],
    ["control characters", "\u0000\u0001, Bearer", [["bearer", {}]]],
  ])("%s", (_, value, expected) => {
    expect(read(value)).toEqual(expected);
  });

  test("a parameter named __proto__ is a name like any other", () => {
    const [challenge] = parseChallenges("Bearer __proto__=x");
    expect([...challenge!.parameters]).toEqual([["__proto__", "x"]]);
  });

  test.each([",", "=", '"', '"\\', "a ", "a=", " \t"])(
    "%j many times is read to its end",
    (piece) => {
      expect(() => parseChallenges(piece.repeat(10_000))).not.toThrow();
    },
  );
});

describe("challengesOf", () => {
  const first = (headers: [string, string][]) => {
    const transcript = httpTranscript({ requests: [] });
    const events = transcript.events.map((event): Event =>
      event.type === "responded" ? { ...event, status: 401, headers } : event,
    );
    return challengesOf(exchanges({ ...transcript, events })[0]!);
  };

  test("reads every header of that name, in order, and no other", () => {
    const found = first([
      ["WWW-Authenticate", "Basic"],
      ["Proxy-Authenticate", "Digest"],
      ["www-authenticate", "Negotiate, Bearer"],
    ]);
    expect(found.map(({ scheme }) => scheme)).toEqual(["basic", "negotiate", "bearer"]);
  });

  test("finds none without such a header, or without HTTP", () => {
    expect(first([["content-type", "Basic"]])).toEqual([]);
    expect(challengesOf(exchanges(stdioTranscript())[0]!)).toEqual([]);
  });
});
