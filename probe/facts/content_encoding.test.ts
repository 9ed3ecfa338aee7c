import { expect, test } from "vitest";
import { httpTranscript, stdioTranscript } from "../testing/transcripts.ts";
import fact from "./content_encoding.ts";

const coded = (value: string) =>
  httpTranscript({
    answers: {
      initialize: { raw: "", headers: { "content-encoding": value } },
      "tools/list": { raw: "", headers: { "content-encoding": "GZIP" } },
    },
  });

test("names each coding once", () => {
  const value = fact.run(coded("br"));
  expect(value).toEqual(["br"]);
  expect(fact.show(value!)).toBe("answers encoded as br");
  expect(fact.run(coded("gzip"))).toEqual(["gzip"]);
});

test.each([
  ["plain answers", httpTranscript()],
  ["a character set in its place", coded("utf-8")],
  [
    "documents of another host about a login",
    httpTranscript({
      requests: [{ method: "x", purpose: "auth-metadata" }],
      answers: { x: { raw: "", headers: { "content-encoding": "gzip" } } },
    }),
  ],
  ["a pipe", stdioTranscript()],
])("is absent for %s", (_, transcript) => {
  expect(fact.run(transcript)).toBeUndefined();
});
