import { defineFact } from "../fact.ts";
import { own } from "../views/json.ts";
import { tools } from "../views/lists.ts";

export default defineFact({
  id: "duplicate_tool_names",
  title: "Duplicate tool names",
  describes: "Names that more than one tool has; absent when every name is its own.",
  run(transcript) {
    const names = tools(transcript).items.map(({ value }) => own(value, "name"));
    const twice = names.filter(
      (name): name is string =>
        typeof name === "string" && names.indexOf(name) !== names.lastIndexOf(name),
    );
    return twice.length > 0 ? [...new Set(twice)] : undefined;
  },
  show: (value) => value.join(", "),
});
