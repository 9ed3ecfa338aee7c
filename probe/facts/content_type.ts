import { defineFact } from "../fact.ts";
import { responseHeader } from "../views/exchanges.ts";
import { responses } from "../views/responses.ts";

const EXPECTED = ["application/json", "text/event-stream"];

export default defineFact({
  id: "content_type",
  title: "Odd content type",
  describes:
    "The first content type of a reply that is neither JSON nor a stream of events, or missing; absent when all are one of the two. Strict clients reject such replies.",
  run(transcript) {
    for (const exchange of responses(transcript)) {
      const type = responseHeader(exchange, "content-type")?.split(";")[0]!.trim().toLowerCase();
      if (type === undefined || type === "") return "missing";
      if (!EXPECTED.includes(type)) return type;
    }
    return undefined;
  },
  show: String,
});
