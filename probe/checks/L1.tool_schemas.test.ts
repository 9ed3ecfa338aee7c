import { describe, expect, test } from "vitest";
import { GET_WORD, httpTranscript, INITIALIZE, modernTranscript } from "../testing/transcripts.ts";
import type { Transcript } from "../transcript/schema.ts";
import check from "./L1.tool_schemas.ts";

/** A healthy server with these tools. */
const withTools = (tools: readonly unknown[], protocolVersion = "2025-11-25") =>
  httpTranscript({
    answers: {
      initialize: { result: { ...INITIALIZE, protocolVersion } },
      "tools/list": { result: { tools } },
    },
  });
const withSchema = (inputSchema: unknown, protocolVersion?: string) =>
  withTools([{ name: "get_word", inputSchema }], protocolVersion);

const object = { type: "object" };
const nested = (levels: number): object => (levels === 0 ? {} : { anyOf: [nested(levels - 1)] });
/** Positional items as an array: legal up to 2019-09, replaced by prefixItems since. */
const positional = { ...object, properties: { a: { type: "array", items: [{}, {}] } } };

const passing: [string, Transcript][] = [
  ["a healthy tool", httpTranscript()],
  ["a healthy tool of the modern era", modernTranscript()],
  ["no tools at all", withTools([])],
  ["the least schema", withSchema(object)],
  ["names that objects of ours have too", withTools([named("__proto__"), named("constructor")])],
  ["two tools of one name", withTools([GET_WORD, GET_WORD])],
  [
    "a property called __proto__",
    withSchema(JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}')),
  ],
  [
    "a pattern that burns time",
    withSchema({ ...object, properties: { a: { pattern: "^(a+)+$" } } }),
  ],
  ["a schema inside itself", withSchema({ ...object, allOf: [{ $ref: "#" }, { $ref: "#" }] })],
  ["a reference to elsewhere", withSchema({ ...object, properties: { f: { $ref: "file:///x" } } })],
  [
    "a dialect that nobody knows",
    withSchema({ ...object, $schema: "https://x.example/s", items: 7 }),
  ],
  ["a draft-07 schema in an older session", withSchema(positional, "2025-06-18")],
];

function named(name: string) {
  return { name, inputSchema: object };
}

const failing: [string, Transcript, reason: string, because: string][] = [
  [
    "a tool that is a text",
    withTools(["x"]),
    "tool-not-an-object",
    'Tool 1 must be an object, but is "x".',
  ],
  [
    "a tool without a name",
    withTools([{ inputSchema: object }]),
    "name-missing",
    "Tool 1 must have a non-empty string as name, but has nothing.",
  ],
  [
    "a name of white space",
    withTools([named(" ")]),
    "name-missing",
    'Tool 1 must have a non-empty string as name, but has " ".',
  ],
  [
    "no inputSchema",
    withTools([{ name: "a" }]),
    "schema-not-an-object",
    'Tool 1, "a", must have an object as inputSchema, but has nothing.',
  ],
  [
    "an inputSchema that is null",
    withSchema(null),
    "schema-not-an-object",
    'Tool 1, "get_word", must have an object as inputSchema, but has null.',
  ],
  [
    "an inputSchema that is a list",
    withSchema([]),
    "schema-not-an-object",
    'Tool 1, "get_word", must have an object as inputSchema, but has an array.',
  ],
  [
    "an empty schema",
    withSchema({}),
    "root-not-object",
    'Tool 1, "get_word", must have "type": "object" at the root of its inputSchema, but has nothing.',
  ],
  [
    "a schema that the metaschema refuses",
    withSchema({ ...object, properties: { kind: { type: "strin" } } }),
    "schema-invalid",
    "/properties/kind/type",
  ],
  [
    "a draft-07 schema in a session where 2020-12 is the default",
    withSchema(positional),
    "schema-invalid",
    "items",
  ],
  [
    "a reference that leads nowhere",
    withSchema({ ...object, properties: { f: { $ref: "#/$defs/Missing" } } }),
    "ref-dangling",
    'refers to "#/$defs/Missing"',
  ],
  [
    "a faulty tool beside one that is too large",
    withTools([{ name: "large", inputSchema: { ...object, ...nested(100) } }, { name: "a" }]),
    "schema-not-an-object",
    'Tool 2, "a",',
  ],
  [
    "three faulty tools, of which the first is told",
    withTools([named("fine"), named(""), { name: "a" }, null]),
    "name-missing",
    "2 more are faulty too.",
  ],
];

describe("L1.tool_schemas", () => {
  test.each(passing)("passes with %s", (_, transcript) => {
    expect(check.run(transcript)).toMatchObject({ outcome: "passed" });
  });

  test("shows the list that it read, and counts what it did not judge", () => {
    const unknown = { name: "b", inputSchema: { ...object, $schema: "https://x.example/s" } };
    expect(check.run(withTools([GET_WORD, unknown]))).toEqual({
      outcome: "passed",
      because:
        "2 tools with a name and an input schema; 1 in a dialect that we do not know, so not judged.",
      evidence: [10, 13],
    });
  });

  test.each(failing)("fails on %s", (_, transcript, reason, because) => {
    expect(check.run(transcript)).toMatchObject({
      outcome: "failed",
      reason,
      because: expect.stringContaining(because),
      evidence: [10, 13],
    });
  });

  test("shows the page on which the faulty tool stands", () => {
    const transcript = httpTranscript({
      answers: {
        "tools/list": [
          { result: { tools: [GET_WORD], nextCursor: "2" } },
          { result: { tools: [{ name: "b" }] } },
        ],
      },
    });
    expect(check.run(transcript)).toMatchObject({ outcome: "failed", evidence: [14, 17] });
  });

  test.each([
    ["200 levels", { ...object, ...nested(100) }],
    ["300 KiB", { ...object, description: "x".repeat(300 * 1024) }],
    ["6000 subschemas", { ...object, anyOf: Array.from({ length: 6000 }, () => ({})) }],
  ])("is untested for a schema of %s", (_, schema) => {
    expect(check.run(withTools([GET_WORD, { name: "large", inputSchema: schema }]))).toMatchObject({
      outcome: "untested",
      reason: "validator-budget",
      because: expect.stringMatching(
        /^Tool 2, "large", has an inputSchema that .+ We do not judge/,
      ),
      evidence: [10, 13],
    });
  });

  test("does not overflow on nesting that writing it as JSON would overflow on", () => {
    const schema = `{"type":"object","not":${'{"not":'.repeat(30_000)}{}${"}".repeat(30_000)}}`;
    const tools = `{"tools":[{"name":"deep","inputSchema":${schema}}]}`;
    const transcript = httpTranscript({
      answers: { "tools/list": { raw: `{"jsonrpc":"2.0","id":2,"result":${tools}}` } },
    });
    expect(check.run(transcript)).toMatchObject({
      outcome: "untested",
      reason: "validator-budget",
    });
  });

  test("does not apply where no tools are declared", () => {
    const bare = httpTranscript({
      answers: { initialize: { result: { ...INITIALIZE, capabilities: { tools: true } } } },
    });
    expect(check.run(bare)).toMatchObject({ outcome: "inapplicable" });
  });

  test("is untested where the list was not asked for, or met a gate", () => {
    const run = (difference: Parameters<typeof httpTranscript>[0]) =>
      check.run(httpTranscript(difference));
    expect(run({ kind: "liveness", requests: [] })).toMatchObject({
      outcome: "untested",
      reason: "not-asked",
    });
    expect(run({ answers: { "tools/list": { raw: "", status: 401 } } })).toMatchObject({
      outcome: "untested",
      reason: "auth-required",
    });
  });
});
