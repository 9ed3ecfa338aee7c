import { defineFact } from "../fact.ts";
import { own } from "../views/json.ts";
import { tools } from "../views/lists.ts";

export default defineFact({
  id: "annotations",
  title: "Tool annotations",
  describes:
    "How many tools are marked read-only, destructive, or neither; only a literal true counts, and the specification's defaults are not applied.",
  run(transcript) {
    const { pages, items } = tools(transcript);
    if (pages.length === 0) return undefined;
    const marks = items.map(({ value }) => {
      const annotations = own(value, "annotations");
      return {
        readOnly: own(annotations, "readOnlyHint") === true,
        destructive: own(annotations, "destructiveHint") === true,
      };
    });
    return {
      readOnly: marks.filter(({ readOnly }) => readOnly).length,
      destructive: marks.filter(({ destructive }) => destructive).length,
      unmarked: marks.filter(({ readOnly, destructive }) => !readOnly && !destructive).length,
    };
  },
  show: ({ readOnly, destructive, unmarked }) =>
    `${readOnly} read-only, ${destructive} destructive, ${unmarked} unmarked`,
});
