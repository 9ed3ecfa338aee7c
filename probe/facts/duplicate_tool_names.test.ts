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
  expect(fact.show(["", "b"])).toBe('"", b');
});

test("stand in the order of their first tool, and __proto__ is a name like any other", () => {
  const names = ["b", "__proto__", "a", "a", "__proto__", "b"];
  expect(listed(names.map((name) => ({ name })))).toEqual(["b", "__proto__", "a"]);
});

test("are texts alone, of the tool itself", () => {
  const inherited = JSON.parse('{"__proto__":{"name":"a"}}');
  expect(listed([{ name: 1 }, { name: 1 }, inherited, inherited, null, null])).toBeUndefined();
  expect(listed("aa")).toBeUndefined();
});

test("are found in long lists without comparing all pairs", () => {
  const many = Array.from({ length: 9_000 }, (_, index) => ({ name: `n${index}` }));
  expect(listed([...many, { name: "n7" }])).toEqual(["n7"]);
});

test("absent when every name is its own, and names are missing", () => {
  expect(listed([{ name: "a" }, { name: "b" }, {}, {}])).toBeUndefined();
  expect(fact.run(noTools)).toBeUndefined();
});
