import { defineFact } from "../fact.ts";
import { own } from "../views/json.ts";
import { tools } from "../views/lists.ts";

export default defineFact({
  id: "tools",
  title: "Tools",
  describes: "Names of the tools in the server's order; one without a name is null.",
  run(transcript) {
    const { pages, items } = tools(transcript);
    if (pages.length === 0) return undefined;
    return items.map(({ value }) => {
      const name = own(value, "name");
      return typeof name === "string" ? name : null;
    });
  },
  show(names) {
    const listed = names.map((name) => name ?? "(no name)").join(", ");
    return names.length > 0 ? `${names.length}: ${listed}` : "0";
  },
});
