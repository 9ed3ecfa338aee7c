/** Finds `$ref`s of a JSON Schema that point into the schema itself, at nothing. */
import { isObject, type JsonObject, own } from "./json.ts";

/** Where subschemas stand: as the value, as entries of an array, as values of a map by name. */
const SINGLE = [
  "additionalItems",
  "additionalProperties",
  "contains",
  "contentSchema",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
];
const LISTED = ["allOf", "anyOf", "items", "oneOf", "prefixItems"];
const NAMED = [
  "$defs",
  "definitions",
  "dependencies",
  "dependentSchemas",
  "patternProperties",
  "properties",
];

/** A schema with an identity of its own, to which the references inside it are relative. */
interface Resource {
  readonly uri: string;
  readonly root: JsonObject;
  readonly anchors: Set<string>;
}

interface Reference {
  readonly text: string;
  readonly from: Resource;
}

/**
 * The first `$ref` or `$dynamicRef` that stays in the schema and finds nothing there. `idKeyword` is
 * `id` in draft 04 and `$id` since. Expects nesting within the limit of `rules/limits.json`, since it
 * recurses.
 */
export function danglingReference(
  schema: JsonObject,
  idKeyword: "$id" | "id" = "$id",
): string | undefined {
  const resources = new Map<string, Resource>();
  const references: Reference[] = [];
  visit(schema, undefined, idKeyword, resources, references);
  return references.find((reference) => isDangling(reference, resources))?.text;
}

function visit(
  schema: unknown,
  parent: Resource | undefined,
  idKeyword: string,
  resources: Map<string, Resource>,
  references: Reference[],
): void {
  if (!isObject(schema)) return;
  const id = own(schema, idKeyword);
  const isNew = typeof id === "string" && id !== "" && !id.startsWith("#");
  let resource = parent;
  if (!resource || isNew) {
    const uri = isNew ? resolve(parent?.uri ?? "", id.replace(/#.*$/s, "")) : "";
    resource = { uri, root: schema, anchors: new Set() };
    resources.set(uri, resource);
  }
  // Up to draft 07 an anchor is an id that begins with "#".
  const fragment = typeof id === "string" && id.startsWith("#") ? id.slice(1) : undefined;
  for (const anchor of [own(schema, "$anchor"), own(schema, "$dynamicAnchor"), fragment]) {
    if (typeof anchor === "string") resource.anchors.add(anchor);
  }
  for (const text of [own(schema, "$ref"), own(schema, "$dynamicRef")]) {
    if (typeof text === "string") references.push({ text, from: resource });
  }
  for (const subschema of subschemas(schema)) {
    visit(subschema, resource, idKeyword, resources, references);
  }
}

function subschemas(schema: JsonObject): readonly unknown[] {
  const listed = LISTED.map((keyword) => own(schema, keyword)).filter((value) =>
    Array.isArray(value),
  );
  const named = NAMED.map((keyword) => own(schema, keyword)).filter(isObject);
  return [
    ...SINGLE.map((keyword) => own(schema, keyword)),
    ...(listed.flat() as unknown[]),
    ...named.flatMap((map) => Object.values(map)),
  ];
}

function isDangling({ text, from }: Reference, resources: Map<string, Resource>): boolean {
  const hash = text.indexOf("#");
  const [path, encoded] = hash < 0 ? [text, ""] : [text.slice(0, hash), text.slice(hash + 1)];
  const resource = path === "" ? from : resources.get(resolve(from.uri, path));
  if (!resource) return false; // Another document. It is not fetched, so nothing is known about it.
  const fragment = decode(encoded);
  if (fragment === "") return false;
  return fragment.startsWith("/")
    ? !isSchema(pointed(resource.root, fragment))
    : !resource.anchors.has(fragment);
}

const isSchema = (value: unknown) => isObject(value) || typeof value === "boolean";

/** The value at a JSON Pointer (RFC 6901). */
function pointed(root: unknown, pointer: string): unknown {
  return pointer
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((value, key) => {
      if (!Array.isArray(value)) return own(value, key);
      return /^(0|[1-9]\d*)$/.test(key) ? (value as unknown[])[Number(key)] : undefined;
    }, root);
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment; // Malformed percent signs stand for themselves.
  }
}

/** A reference against its base, as far as documents inside one schema need it (RFC 3986, 5.2). */
function resolve(base: string, path: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(path)) return path;
  const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/]*/i.exec(base)?.[0] ?? "";
  const folder = path.startsWith("/") ? "" : base.slice(origin.length).replace(/[^/]*$/, "");
  const parts: string[] = [];
  for (const part of `${folder}${path}`.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return `${origin}/${parts.join("/")}`;
}
