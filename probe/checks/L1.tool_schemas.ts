import {
  type CheckResult,
  defineCheck,
  type EventRef,
  failed,
  inapplicable,
  passed,
  untested,
} from "../check.ts";
import type { Transcript } from "../transcript/schema.ts";
import { isFilled, isObject, own } from "../views/json.ts";
import { type Item, type List, tools } from "../views/lists.ts";
import { notAsked } from "../views/no-reply.ts";
import { negotiatedVersion, opening } from "../views/opening.ts";
import { describesObject, readSchema } from "../views/schemas.ts";
import { andMore, count, shown } from "../views/words.ts";

/** What was found about one tool; `words` follow its name. */
type Finding =
  | { readonly kind: "valid" | "unknown-dialect" }
  | { readonly kind: "faulty" | "over-budget"; readonly reason: string; readonly words: string };

function judgeTool(tool: unknown, protocolVersion: unknown): Finding {
  const faulty = (reason: string, words: string) => ({ kind: "faulty", reason, words }) as const;
  if (!isObject(tool)) {
    return faulty("tool-not-an-object", `must be an object, but is ${shown(tool)}`);
  }
  const name = own(tool, "name");
  if (!isFilled(name)) {
    return faulty("name-missing", `must have a non-empty string as name, but has ${shown(name)}`);
  }
  const schema = own(tool, "inputSchema");
  if (!isObject(schema)) {
    const words = `must have an object as inputSchema, but has ${shown(schema)}`;
    return faulty("schema-not-an-object", words);
  }
  if (!describesObject(schema)) {
    const type = shown(own(schema, "type"));
    return faulty(
      "root-not-object",
      `must have "type": "object" at the root of its inputSchema, but has ${type}`,
    );
  }
  const reading = readSchema(schema, protocolVersion);
  switch (reading.verdict) {
    case "valid":
    case "unknown-dialect":
      return { kind: reading.verdict };
    case "invalid":
      return faulty(reading.reason, `has an inputSchema that ${reading.words}`);
    case "over-budget":
      return {
        kind: "over-budget",
        reason: "validator-budget",
        words: `has an inputSchema that ${reading.words}`,
      };
  }
}

function run(transcript: Transcript): CheckResult {
  const list = tools(transcript);
  if (!list.declared) return inapplicable("The server does not declare tools.");
  if (!list.pages.some(({ reply }) => reply)) return notAsked(transcript, "tools/list");
  const version = negotiatedVersion(opening(transcript));
  const found = list.items.map((item) => ({ item, finding: judgeTool(item.value, version) }));
  for (const kind of ["faulty", "over-budget"] as const) {
    const [first, ...others] = found.flatMap(({ item, finding }) =>
      finding.kind === kind ? [{ item, ...finding }] : [],
    );
    if (!first) continue;
    const because = `${nameOf(first.item)} ${first.words}.`;
    const evidence = evidenceOf(list, first.item);
    return kind === "faulty"
      ? failed(first.reason, because + andMore(others.length), evidence)
      : untested(first.reason, `${because} We do not judge a schema of that size.`, evidence);
  }
  const unknown = found.filter(({ finding }) => finding.kind === "unknown-dialect").length;
  const aside = unknown === 0 ? "" : `; ${unknown} in a dialect that we do not know, so not judged`;
  return passed(
    `${count(found.length, "tool")} with a name and an input schema${aside}.`,
    evidenceOf(list),
  );
}

function nameOf({ index, value }: Item): string {
  const name = own(value, "name");
  return isFilled(name) ? `Tool ${index + 1}, ${shown(name)},` : `Tool ${index + 1}`;
}

/** The requests and answers of the page that an item stands on, or of all pages. */
function evidenceOf(list: List, item?: Item): readonly [EventRef, ...EventRef[]] {
  const pages = list.pages.filter(({ reply }) => reply && (!item || reply.ref === item.ref));
  const refs = pages.flatMap(({ sent, reply }) => [sent.ref, reply!.ref]);
  return refs as [EventRef, ...EventRef[]];
}

export default defineCheck({
  id: "L1.tool_schemas",
  title: "Every tool has a name and a valid input schema",
  passesWhen:
    'Every listed tool is an object with a non-empty string name and an inputSchema that is an object with "type": "object" at its root, that the metaschema of its dialect accepts, and whose references into itself all lead somewhere.',
  why: "A client cannot build a call from a broken schema, and many clients drop every tool of a server when one schema does not compile.",
  fix: 'Give each tool a name and an inputSchema with type object; one without arguments has {"type": "object"}. Validate the schemas against the dialect that $schema names, or JSON Schema 2020-12 by default.',
  needs: ["L0.capabilities", "L1.tools_list"],
  run,
});
