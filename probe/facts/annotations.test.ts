import { expect, test } from "vitest";
import { httpTranscript, INITIALIZE } from "../testing/transcripts.ts";
import fact from "./annotations.ts";

const listed = (tools: unknown) =>
  fact.run(httpTranscript({ answers: { "tools/list": { result: { tools } } } }));

const noTools = httpTranscript({
  answers: { initialize: { result: { ...INITIALIZE, capabilities: {} } } },
});

test("count only a literal true of their own", () => {
  const value = listed([
    { name: "a", annotations: { readOnlyHint: true } },
    { name: "b", annotations: { destructiveHint: true } },
    { name: "c", annotations: { readOnlyHint: true, destructiveHint: true } },
    { name: "d", annotations: { readOnlyHint: "true" } },
    { name: "e", annotations: JSON.parse('{"__proto__":{"readOnlyHint":true}}') },
    { name: "f" },
    null,
  ])!;
  expect(value).toEqual({ readOnly: 2, destructive: 2, unmarked: 4 });
  expect(fact.show(value)).toBe("2 read-only, 2 destructive, 4 unmarked");
});

test("are zeros for an empty list, and absent without one", () => {
  expect(listed([])).toEqual({ readOnly: 0, destructive: 0, unmarked: 0 });
  expect(fact.run(noTools)).toBeUndefined();
});
