import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type JsonObject, parseJson } from "./json.ts";
import { describesObject, readSchema } from "./schemas.ts";

const NOW = "2025-11-25";
const OLDER = "2025-06-18";
const D2020 = "https://json-schema.org/draft/2020-12/schema";
const D2019 = "https://json-schema.org/draft/2019-09/schema";
const D07 = "http://json-schema.org/draft-07/schema#";
const D06 = "http://json-schema.org/draft-06/schema#";
const D04 = "http://json-schema.org/draft-04/schema#";

const read = (schema: JsonObject, version: unknown = NOW) => readSchema(schema, version);
const property = (schema: unknown): JsonObject => ({ type: "object", properties: { p: schema } });
/** Positional items as an array were legal until 2019-09. */
const positional = property({ type: "array", items: [{}, {}] });
/** A boolean here was legal in draft 04 alone. */
const exclusive = property({ type: "number", minimum: 0, exclusiveMinimum: true });
/** Legal since draft 06. */
const constant = property({ exclusiveMinimum: 0, const: 1 });

describe("a dialect", () => {
  test.each<[string, string, JsonObject]>([
    ["2020-12", D2020, property({ prefixItems: [{}] })],
    ["2019-09", D2019, positional],
    ["draft-07", D07, positional],
    ["draft-06", D06, constant],
    ["draft-04", D04, exclusive],
    [
      "draft-07 with https and without the fragment",
      "https://json-schema.org/draft-07/schema",
      positional,
    ],
    ["2020-12 with http and a fragment", "http://json-schema.org/draft/2020-12/schema#", constant],
  ])("%s accepts what it allows", (_, $schema, schema) => {
    expect(read({ ...schema, $schema })).toEqual({ verdict: "valid" });
  });

  test.each<[string, string, JsonObject]>([
    ["2020-12", D2020, positional],
    ["2019-09", D2019, exclusive],
    ["draft-07", D07, exclusive],
    ["draft-06", D06, exclusive],
    ["draft-04", D04, property({ exclusiveMinimum: 0, minimum: 0 })],
  ])("%s refuses what it does not allow", (_, $schema, schema) => {
    expect(read({ ...schema, $schema })).toMatchObject({
      verdict: "invalid",
      reason: "schema-invalid",
    });
  });

  test.each([["https://x.example/mine"], ["http://json-schema.org/schema#"], [""]])(
    "%j is not known, so nothing is judged",
    ($schema) => {
      expect(read({ ...property({ type: 7 }), $schema })).toEqual({ verdict: "unknown-dialect" });
    },
  );

  test("is 2020-12 by default, and in older sessions draft-07 as well", () => {
    expect(read(positional)).toMatchObject({ verdict: "invalid" });
    expect(read(positional, "2026-07-28")).toMatchObject({ verdict: "invalid" });
    expect(read(positional, OLDER)).toEqual({ verdict: "valid" });
    expect(read(property({ prefixItems: [{}] }), OLDER)).toEqual({ verdict: "valid" });
    expect(read(exclusive, OLDER)).toMatchObject({ verdict: "invalid" });
  });
});

describe("a metaschema", () => {
  test("says what it refuses, and where", () => {
    expect(read(property({ type: "strin" }))).toEqual({
      verdict: "invalid",
      reason: "schema-invalid",
      words: 'is not valid at "/properties/p/type": it must be equal to one of the allowed values',
    });
  });

  test.each<[string, JsonObject]>([
    ["a pattern in another flavour", property({ type: "string", pattern: "(?i)x" })],
    ["a pattern that burns time", property({ type: "string", pattern: "^(a+)+$" })],
    ["an unknown keyword and format", property({ nullable: true, format: "sky", "x-ours": {} })],
    ["an identifier that is a URN", { type: "object", $id: "urn:example:a" }],
    ["a property of every inherited name", names()],
  ])("accepts %s", (_, schema) => {
    expect(read(schema)).toEqual({ verdict: "valid" });
  });

  test("accepts the same identifier in two schemas", () => {
    const schema = { type: "object", $id: "https://x.example/same" };
    expect([read(schema), read({ ...schema })]).toEqual([
      { verdict: "valid" },
      { verdict: "valid" },
    ]);
  });
});

function names(): JsonObject {
  const text = '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{}}}';
  return parseJson(text) as JsonObject;
}

describe("a reference", () => {
  test.each<[string, JsonObject]>([
    ["the root", property({ $ref: "#" })],
    ["a definition", { $defs: { a: {} }, ...property({ $ref: "#/$defs/a" }) }],
    ["a definition in a place of its own", { mine: { a: {} }, ...property({ $ref: "#/mine/a" }) }],
    ["a boolean schema", { $defs: { a: true }, ...property({ $ref: "#/$defs/a" }) }],
    ["an entry of a list", { anyOf: [{}, {}], ...property({ $ref: "#/anyOf/1" }) }],
    ["a name with / and ~", { $defs: { "a/b~c": {} }, ...property({ $ref: "#/$defs/a~1b~0c" }) }],
    ["a name with a space", { $defs: { "a b": {} }, ...property({ $ref: "#/$defs/a%20b" }) }],
    ["an anchor", { $defs: { a: { $anchor: "here" } }, ...property({ $ref: "#here" }) }],
    [
      "a dynamic anchor",
      { $defs: { a: { $dynamicAnchor: "here" } }, ...property({ $dynamicRef: "#here" }) },
    ],
    [
      "the document by its identifier",
      {
        $id: "https://x.example/a/b.json",
        $defs: { a: {} },
        ...property({ $ref: "b.json#/$defs/a" }),
      },
    ],
    [
      "a definition by its own identifier",
      {
        $id: "https://x.example/a/b.json",
        $defs: { a: { $id: "../c.json" } },
        ...property({ $ref: "/c.json" }),
      },
    ],
    [
      "something relative to the identifier around it",
      { $defs: { a: { $id: "a.json", $defs: { b: {} }, allOf: [{ $ref: "#/$defs/b" }] } } },
    ],
    ["another document", property({ $ref: "https://x.example/other.json#/a" })],
    ["a file", property({ $ref: "file:///etc/passwd" })],
    ["itself in a circle", { $defs: { a: { $ref: "#/$defs/a" } } }],
    [
      "nothing, where it is data",
      property({ enum: [{ $ref: "#/no" }], default: { $ref: "#/no" } }),
    ],
    [
      "nothing, where it is a property's name",
      property({ properties: { $ref: { type: "string" } } }),
    ],
    ["an identifier of another era, which is an unknown keyword", property({ id: "x", $ref: "#" })],
    [
      "a definition beside such a keyword",
      { $defs: { a: {} }, ...property({ id: "x", not: { $ref: "#/$defs/a" } }) },
    ],
  ])("may lead to %s", (_, schema) => {
    expect(read({ type: "object", ...schema })).toEqual({ verdict: "valid" });
  });

  test.each<[string, JsonObject]>([
    ["#/$defs/a", property({ $ref: "#/$defs/a" })],
    ["#/$defs/a", property({ items: { anyOf: [{ $ref: "#/$defs/a" }] } })],
    ["#/$defs/__proto__", { $defs: {}, ...property({ $ref: "#/$defs/__proto__" }) }],
    ["#/type", property({ $ref: "#/type" })],
    ["#/anyOf/01", { anyOf: [{}, {}], ...property({ $ref: "#/anyOf/01" }) }],
    ["#nowhere", property({ $ref: "#nowhere" })],
    ["#/%", property({ $ref: "#/%" })],
    [
      "b.json#/$defs/a",
      { $id: "https://x.example/b.json", ...property({ $ref: "b.json#/$defs/a" }) },
    ],
    ["#/$defs/b", { $defs: { b: {}, a: { $id: "a.json", allOf: [{ $ref: "#/$defs/b" }] } } }],
  ])("must not lead nowhere, as %s does", (text, schema) => {
    expect(read({ type: "object", ...schema })).toEqual({
      verdict: "invalid",
      reason: "ref-dangling",
      words: `refers to "${text}", which is not in it`,
    });
  });

  test("of draft 04 starts from `id`, and an `id` with # is an anchor", () => {
    const definitions = { a: { id: "#here" }, b: { id: "b.json", definitions: { c: {} } } };
    const of = ($ref: string) =>
      read({ $schema: D04, id: "http://x.example/s", definitions, ...property({ $ref }) });
    expect(of("#here")).toEqual({ verdict: "valid" });
    expect(of("b.json#/definitions/c")).toEqual({ verdict: "valid" });
    expect(of("b.json#/definitions/d")).toMatchObject({ reason: "ref-dangling" });
  });
});

describe("the budget", () => {
  const deep = (levels: number) => {
    let schema: JsonObject = {};
    for (let level = 1; level < levels; level += 1) schema = { not: schema };
    return schema;
  };
  const wide = (n: number): JsonObject => ({
    properties: Object.fromEntries(Array.from({ length: n }, (_, index) => [`p${index}`, {}])),
  });

  test.each<[string, JsonObject, verdict: string]>([
    ["64 levels", deep(64), "valid"],
    ["65 levels", deep(65), "over-budget"],
    ["100,000 levels", deep(100_000), "over-budget"],
    ["4,000 subschemas", wide(4000), "valid"],
    ["6,000 subschemas", wide(6000), "over-budget"],
    ["200 KiB", { description: "x".repeat(200 * 1024) }, "valid"],
    ["150,000 characters of two bytes", { description: "é".repeat(150_000) }, "over-budget"],
  ])("takes %s as it should", (_, schema, verdict) => {
    expect(read(schema)).toMatchObject({ verdict });
  });
});

test("only an own type says that a schema describes an object", () => {
  expect(describesObject({ type: "object" })).toBe(true);
  expect(describesObject({ type: ["object"] })).toBe(false);
  expect(describesObject({})).toBe(false);
  expect(describesObject(Object.create({ type: "object" }) as JsonObject)).toBe(false);
});

const keyword = fc.constantFrom(
  ...["$ref", "$id", "id", "$anchor", "$defs", "properties", "items", "allOf", "type", "$schema"],
  ...["__proto__", "enum", "required", "not", "const", "x"],
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "medium" },
    fc.constantFrom(
      "#",
      "#/",
      "#/$defs/x",
      "#x",
      "%",
      "a.json",
      "//",
      D07,
      D04,
      D2020,
      null,
      0,
      true,
    ),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.array(fc.tuple(keyword, tie("any")), { maxLength: 5 }).map(
      // Text first: only parsing makes an own `__proto__`.
      (entries) =>
        parseJson(`{${entries.map(([key, each]) => `"${key}":${JSON.stringify(each)}`).join()}}`),
    ),
  ),
}));

test("no schema makes it throw, and the same schema is read the same way twice", () => {
  fc.assert(
    fc.property(fc.dictionary(keyword, value.any, { maxKeys: 6 }), (schema) => {
      const once = read(schema, OLDER);
      expect(["valid", "invalid", "over-budget", "unknown-dialect"]).toContain(once.verdict);
      expect(read(schema, OLDER)).toEqual(once);
    }),
  );
});
