import { expect, test } from "vitest";
import { httpTranscript, INITIALIZE } from "../testing/transcripts.ts";
import fact from "./capabilities.ts";

const declared = (capabilities: unknown) =>
  fact.run(
    httpTranscript({ answers: { initialize: { result: { ...INITIALIZE, capabilities } } } }),
  );

test("are the names that are declared, in code point order", () => {
  expect(declared({ tools: {}, logging: {}, Z: {} })).toEqual(["Z", "logging", "tools"]);
  expect(fact.show(["logging", "tools"])).toBe("logging, tools");
  expect(fact.show([])).toBe("none");
});

test("take a member named __proto__ for what it is", () => {
  expect(declared(JSON.parse('{"__proto__":{"prompts":{}}}'))).toEqual(["__proto__"]);
});

test("absent when they are no object", () => {
  expect(declared(["tools"])).toBeUndefined();
  expect(declared(null)).toBeUndefined();
});
