import { defineFact } from "../fact.ts";
import { exchanges } from "../views/exchanges.ts";
import { carrierHead } from "../views/hops.ts";
import { headerOf } from "../views/messages.ts";
import { excerpt } from "../views/words.ts";

const EXPECTED: ReadonlySet<string> = new Set(["application/json", "text/event-stream"]);

export default defineFact({
  id: "content_type",
  title: "Content type",
  describes:
    "Media types other than application/json and text/event-stream in which results came, which strict clients do not read; `missing` where a result came without one.",
  run(transcript) {
    const types = exchanges(transcript).flatMap((exchange) => {
      const head = exchange.reply && carrierHead(transcript.events, exchange.reply.message);
      if (!head || head.status >= 300) return [];
      const type = headerOf(head.headers, "content-type")?.split(";")[0]!.trim().toLowerCase();
      return EXPECTED.has(type ?? "") ? [] : [type === undefined || type === "" ? "missing" : type];
    });
    return types.length > 0 ? [...new Set(types)] : undefined;
  },
  show: (types) => `answers with content type ${types.map((type) => excerpt(type)).join(", ")}`,
});
