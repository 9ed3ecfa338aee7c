import { defineFact } from "../fact.ts";
import { responseHeader } from "../views/exchanges.ts";
import { responses } from "../views/responses.ts";

export default defineFact({
  id: "content_encoding",
  title: "Encoding nobody asked for",
  describes:
    "The first content encoding of a reply, although we ask for none; absent when replies come as they are.",
  run(transcript) {
    return responses(transcript)
      .map((exchange) => responseHeader(exchange, "content-encoding")?.trim().toLowerCase())
      .find((encoding) => encoding !== undefined && encoding !== "" && encoding !== "identity");
  },
  show: String,
});
