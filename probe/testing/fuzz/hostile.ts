/** What a careless or spiteful server may put on the wire, as arbitraries of fast-check. */
import fc from "fast-check";
import { bytesOf } from "../../transcript/body.ts";

const DEPTHS = [10, 65, 1000, 20_000];
/** Names that mean something to JavaScript, to JSON-RPC or to MCP. */
const NAMES = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "length",
  "",
  "jsonrpc",
  "id",
  "method",
  "result",
  "error",
  "code",
  "message",
  "data",
  "supported",
  "supportedVersions",
  "protocolVersion",
  "capabilities",
  "serverInfo",
  "name",
  "version",
  "tools",
  "resources",
  "prompts",
  "uri",
  "inputSchema",
  "type",
  "properties",
  "$ref",
  "$schema",
  "$id",
  "annotations",
  "nextCursor",
  "resultType",
  "_meta",
];

const SCALARS = [
  "null",
  "true",
  "0",
  "-0",
  "1",
  "-1",
  "1.5",
  "1e999",
  "-1e999",
  "5e-324",
  "-32601",
  "-32022",
  "9007199254740993",
  "123456789012345678901234567890",
  '""',
  '" "',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u0000"',
  '"\\u202e\\u0007\\u001b[31m"',
  '"2.0"',
  '"p-1"',
  '"object"',
  '"complete"',
  '"2025-03-26"',
  '"2025-11-25"',
  '"2026-07-28"',
  '"2099-01-01"',
  '"2099-99-99"',
  '"unauthorized"',
  '"#/nowhere"',
  '"https://json-schema.org/draft/2020-12/schema"',
  '"http://json-schema.org/draft-04/schema#"',
];

const nested = fc
  .tuple(fc.constantFrom(...DEPTHS), fc.constantFrom("[", '{"a":', '{"properties":{"a":', '[{"":'))
  .map(([depth, open]) => {
    const close = [...open.replaceAll(/"[^"]*"/g, "")].toReversed().join("");
    const ends = close.replaceAll("{", "}").replaceAll("[", "]").replaceAll(":", "");
    return `${open.repeat(depth)}null${ends.repeat(depth)}`;
  });

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.constantFrom("é€😀".repeat(40), "x".repeat(10_000), "😀".repeat(100)),
);

/** A JSON text: what reads it must cope with every one of them. */
export const json: fc.Arbitrary<string> = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    { arbitrary: fc.constantFrom(...SCALARS), weight: 4 },
    { arbitrary: text.map((one) => JSON.stringify(one)), weight: 2 },
    { arbitrary: tie("object"), weight: 4 },
    {
      arbitrary: fc.array(tie("value"), { maxLength: 4 }).map((all) => `[${all.join(",")}]`),
      weight: 2,
    },
  ),
  object: fc
    .array(
      fc.tuple(
        fc.oneof(fc.constantFrom(...NAMES), text).map((name) => JSON.stringify(name)),
        tie("value"),
      ),
      { maxLength: 6 },
    )
    .map((members) => `{${members.map(([name, value]) => `${name}:${value}`).join(",")}}`),
})).value;

/** JSON that is too much: nesting that overflows whoever recurses, numbers that are none. */
export const anyJson: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: json, weight: 40 },
  { arbitrary: nested, weight: 1 },
);

const RAW = [
  [0xef, 0xbb, 0xbf], // byte order mark
  [0xff, 0xfe],
  [0xc0, 0x80], // overlong NUL
  [0xed, 0xa0, 0x80], // lone surrogate
  [0xe2, 0x82], // half a character
  [0xf0, 0x9f, 0x98],
  [0x80],
  [0x00],
  [0x0a],
  [0x0d],
  [0x0d, 0x0a, 0x0d, 0x0a],
  [0x0a, 0x0a],
];

/** A few bytes that do not belong where they are. */
export const bytes: fc.Arbitrary<Uint8Array<ArrayBuffer>> = fc.oneof(
  fc.constantFrom(...RAW).map((raw) => Uint8Array.from(raw)),
  fc.uint8Array({ maxLength: 40 }).map((raw) => Uint8Array.from(raw)),
  fc
    .constantFrom("data: ", "data:", "event: message\n", "event: endpoint\n", "id: 1\n", ": x\n")
    .map(bytesOf),
  anyJson.map(bytesOf),
);

/** Values of response headers, some with meaning. */
export const header: fc.Arbitrary<[string, string]> = fc.tuple(
  fc.constantFrom(
    "content-type",
    "www-authenticate",
    "location",
    "retry-after",
    "mcp-session-id",
    "cf-mitigated",
    "Content-Type",
    "__proto__",
  ),
  fc.oneof(
    fc.constantFrom(
      "application/json",
      "application/json; charset=utf-8",
      "text/event-stream",
      "text/html",
      "",
      ";",
      "challenge",
      'Bearer resource_metadata="https://mcp.example/.well-known/oauth-protected-resource"',
      'Basic realm="a, b", Bearer error="x',
      'Bearer resource_metadata="not a url"',
      ',,= , "',
      "https://elsewhere.example/mcp",
      "//[::1",
      "-1",
      "99999999999999999999",
      "Wed, 21 Oct 2099 07:28:00 GMT",
    ),
    fc.string({ maxLength: 30 }),
  ),
);

export const status = fc.constantFrom(
  ...[
    100, 200, 202, 204, 301, 307, 400, 401, 402, 403, 404, 405, 406, 407, 421, 429, 500, 503, 999,
  ],
);

const VALUE = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|\btrue\b|\bfalse\b|\bnull\b|[[{]/g;

/** The text with its `at`th JSON value, or member name, replaced; a bracket stands for all in it. */
export function replaceValue(text: string, at: number, json: string): string {
  const values = [...text.matchAll(VALUE)];
  const value = values[at % values.length];
  if (!value) return json;
  const from = value.index;
  let to = from + value[0].length;
  if (value[0] === "[" || value[0] === "{") {
    for (let depth = 1; depth > 0 && to < text.length; to += 1) {
      if ("[{".includes(text[to]!)) depth += 1;
      if ("]}".includes(text[to]!)) depth -= 1;
    }
  }
  return text.slice(0, from) + json + text.slice(to);
}
