/**
 * Whether a stranger's JSON Schema is one: valid for its dialect, with every local reference in place.
 *
 * Validity is that of the metaschema, not that a validator compiles it: compiling also trips over
 * patterns that JavaScript lacks. Nothing is fetched, so a reference to another document is left
 * alone. Nothing here throws or takes long: what is over the budget is not read at all.
 */
import { Ajv } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import draft06 from "ajv/dist/refs/json-schema-draft-06.json" with { type: "json" };
import { default as AjvDraft04 } from "ajv-draft-04";
import { limit } from "../rules.ts";
import { bytesOf } from "../transcript/body.ts";
import { isObject, type JsonObject } from "./json.ts";
import { danglingReference } from "./schema-references.ts";
import { excerpt } from "./words.ts";

export type SchemaReading =
  | { readonly verdict: "valid" }
  /** `words` follow "inputSchema". */
  | {
      readonly verdict: "invalid";
      readonly reason: "schema-invalid" | "ref-dangling";
      readonly words: string;
    }
  | { readonly verdict: "over-budget"; readonly words: string }
  /** `$schema` names a dialect that we hold no metaschema of. */
  | { readonly verdict: "unknown-dialect" };

type Validate = { (data: unknown): unknown; errors?: readonly Problem[] | null };
type Problem = { readonly instancePath: string; readonly message?: string };

const options = { strict: false, logger: false, validateFormats: false } as const;

/** The metaschema of each dialect by the value of `$schema`, without scheme and trailing `#`. */
const dialects: ReadonlyMap<string, () => Validate | undefined> = new Map([
  ["json-schema.org/draft/2020-12/schema", once(() => metaschema(new Ajv2020(options)))],
  ["json-schema.org/draft/2019-09/schema", once(() => metaschema(new Ajv2019(options)))],
  ["json-schema.org/draft-07/schema", once(() => metaschema(new Ajv(options)))],
  [
    "json-schema.org/draft-06/schema",
    once(() => new Ajv(options).addMetaSchema(draft06).getSchema(draft06.$id) as Validate),
  ],
  // The package declares a default export, but is one.
  [
    "json-schema.org/draft-04/schema",
    once(() => metaschema(new (AjvDraft04 as unknown as typeof Ajv)(options))),
  ],
]);

const NEWEST = "json-schema.org/draft/2020-12/schema";
const OLDEST = "json-schema.org/draft-04/schema";
const OLDER = "json-schema.org/draft-07/schema";
/** From this protocol version on a schema without `$schema` is 2020-12; before, nothing said so. */
const DEFAULT_SINCE = "2025-11-25";

/** Whether a schema demands an object at its root, as every published version requires. */
export function describesObject(schema: JsonObject): boolean {
  return Object.hasOwn(schema, "type") && schema["type"] === "object";
}

/** Reads a schema as the negotiated protocol version means it. */
export function readSchema(schema: JsonObject, version: unknown): SchemaReading {
  const over = overBudget(schema);
  if (over !== undefined) return { verdict: "over-budget", words: over };
  const named = Object.hasOwn(schema, "$schema") ? schema["$schema"] : undefined;
  const settled = typeof version === "string" && version >= DEFAULT_SINCE;
  const candidates =
    typeof named === "string" ? [dialectOf(named)] : settled ? [NEWEST] : [NEWEST, OLDER];
  const problems = candidates.map((dialect) => problemOf(schema, dialect));
  if (problems.includes("unknown")) return { verdict: "unknown-dialect" };
  if (!problems.includes(undefined)) {
    return { verdict: "invalid", reason: "schema-invalid", words: problems[0]! };
  }
  const dangling = danglingReference(schema, candidates[0] === OLDEST ? "id" : "$id");
  if (dangling === undefined) return { verdict: "valid" };
  const words = `refers to ${excerpt(dangling)}, which is not in it`;
  return { verdict: "invalid", reason: "ref-dangling", words };
}

function dialectOf(named: string): string {
  return named.replace(/^https?:\/\//, "").replace(/#$/, "");
}

/** What the metaschema finds wrong first; undefined when nothing, `unknown` without a metaschema. */
function problemOf(schema: JsonObject, dialect: string): string | undefined {
  const validate = dialects.get(dialect)?.();
  if (!validate) return "unknown";
  if (validate(schema) === true) return undefined;
  const problem = validate.errors?.[0];
  const at = problem?.instancePath ? ` at ${excerpt(problem.instancePath)}` : "";
  return `is not valid${at}: it ${problem?.message ?? "breaks its metaschema"}`;
}

/** What is too much about a schema, without recursion; undefined when it can be read. */
function overBudget(schema: JsonObject): string | undefined {
  const [most, deepest] = [limit("schema-subschemas"), limit("schema-depth")];
  let objects = 0;
  let level: readonly object[] = [schema];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > deepest) return `is nested deeper than ${deepest} levels`;
    objects += level.filter(isObject).length;
    // Every object counts as a subschema, and old dialects compare all pairs of an array's entries.
    if (objects > most) return `has more than ${most} subschemas`;
    if (level.some((each) => Array.isArray(each) && each.length > most)) {
      return `has an array of more than ${most} entries`;
    }
    level = level.flatMap((each) => Object.values(each)).filter(isNested);
  }
  const bytes = limit("schema-bytes");
  return bytesOf(JSON.stringify(schema)).length > bytes
    ? `is larger than ${bytes} bytes`
    : undefined;
}

const isNested = (value: unknown): value is object => typeof value === "object" && value !== null;

/** The compiled metaschema that an instance takes for schemas without `$schema`. */
function metaschema(ajv: Ajv | Ajv2019 | Ajv2020): Validate | undefined {
  const id = ajv.defaultMeta();
  return typeof id === "string" ? (ajv.getSchema(id) as Validate | undefined) : undefined;
}

/** Computes on first use: compiling a metaschema takes longer than most transcripts. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
