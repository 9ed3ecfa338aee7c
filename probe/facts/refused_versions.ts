import { defineFact } from "../fact.ts";
import { exchanges, resultOf } from "../views/exchanges.ts";
import { own } from "../views/json.ts";

export default defineFact({
  id: "refused_versions",
  title: "Versions refused instead of negotiated",
  describes:
    "Protocol versions that initialize refused before another one opened the conversation; a server should offer its own instead. Absent when there were none.",
  run(transcript) {
    const openings = exchanges(transcript).filter(({ method }) => method === "initialize");
    if (!resultOf(openings.at(-1))) return undefined;
    const refused = openings
      .slice(0, -1)
      .map(({ params }) => own(params, "protocolVersion"))
      .filter((version) => typeof version === "string");
    return refused.length > 0 ? refused : undefined;
  },
  show: (versions) => versions.join(", "),
});
