import { expect, test } from "vitest";
import { httpTranscript, INITIALIZE } from "../testing/transcripts.ts";
import fact from "./tools.ts";

const listed = (tools: unknown) =>
  fact.run(httpTranscript({ answers: { "tools/list": { result: { tools } } } }));

const noTools = httpTranscript({
  answers: { initialize: { result: { ...INITIALIZE, capabilities: {} } } },
});

test("are named in the server's order; what has no name is null", () => {
  const value = listed([{ name: "z" }, { name: "__proto__" }, { name: 1 }, null])!;
  expect(value).toEqual(["z", "__proto__", null, null]);
  expect(fact.show(value)).toBe("4: z, __proto__, (no name), (no name)");
});

test("are none in an empty list, and absent without one", () => {
  expect(listed([])).toEqual([]);
  expect(fact.show([])).toBe("0");
  expect(fact.run(noTools)).toBeUndefined();
});
