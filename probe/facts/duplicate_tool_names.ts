import { defineFact } from "../fact.ts";
import { own } from "../views/json.ts";
import { tools } from "../views/lists.ts";

export default defineFact({
  id: "duplicate_tool_names",
  title: "Duplicate tool names",
  describes: "Names that more than one tool has; absent when every name is its own.",
  run(transcript) {
    const times = new Map<string, number>();
    for (const { value } of tools(transcript).items) {
      const name = own(value, "name");
      if (typeof name === "string") times.set(name, (times.get(name) ?? 0) + 1);
    }
    const twice = [...times].filter(([, n]) => n > 1).map(([name]) => name);
    return twice.length > 0 ? twice : undefined;
  },
  // A name may be empty, and nothing would be seen of it.
  show: (value) => value.map((name) => (name === "" ? '""' : name)).join(", "),
});
