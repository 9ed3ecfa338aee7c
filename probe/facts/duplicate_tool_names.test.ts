import { expect, test } from "vitest";
import { httpTranscript, INITIALIZE } from "../testing/transcripts.ts";
import fact from "./duplicate_tool_names.ts";

const listed = (tools: unknown) =>
  fact.run(httpTranscript({ answers: { "tools/list": { result: { tools } } } }));

const noTools = httpTranscript({
  answers: { initialize: { result: { ...INITIALIZE, capabilities: {} } } },
});

test("are the names that more than one tool has, each once", () => {
  const value = listed([{ name: "a" }, { name: "b" }, { name: "a" }, { name: "a" }])!;
  expect(value).toEqual(["a"]);
  expect(fact.show(value)).toBe("a");
});

test("absent when every name is its own, and names are missing", () => {
  expect(listed([{ name: "a" }, { name: "b" }, {}, {}])).toBeUndefined();
  expect(fact.run(noTools)).toBeUndefined();
});
