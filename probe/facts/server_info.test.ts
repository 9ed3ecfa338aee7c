import { expect, test } from "vitest";
import { httpTranscript, INITIALIZE, modernTranscript } from "../testing/transcripts.ts";
import fact from "./server_info.ts";

const said = (serverInfo: unknown) =>
  fact.run(httpTranscript({ answers: { initialize: { result: { ...INITIALIZE, serverInfo } } } }));

test("is name, version and title, in both eras", () => {
  expect(said({ name: "x", version: "1", title: "X", other: 2 })).toEqual({
    name: "x",
    version: "1",
    title: "X",
  });
  expect(fact.run(modernTranscript())).toEqual({ name: "fixture", version: "1.0.0" });
  expect(fact.show({ name: "x", version: "1" })).toBe("x 1");
});

test("leaves out what is empty or no text", () => {
  expect(said({ name: "x", version: " ", title: 3 })).toEqual({ name: "x" });
  expect(fact.show({ name: "x" })).toBe("x");
});

test.each([undefined, null, "x", [], {}, JSON.parse('{"__proto__":{"name":"x"}}')])(
  "absent when nothing is left: %j",
  (info) => {
    expect(said(info)).toBeUndefined();
  },
);
