import { defineFact } from "../fact.ts";
import { exchanges } from "../views/exchanges.ts";
import { codingsOf } from "../views/codings.ts";

export default defineFact({
  id: "content_encoding",
  title: "Content encoding",
  describes:
    "Content codings in which the server sent answers although the probe asks for none, in the order of first use.",
  run(transcript) {
    const codings = exchanges(transcript)
      // Documents about a login may come from another host.
      .filter(({ purpose }) => purpose !== "auth-metadata")
      .flatMap(({ hops }) => hops)
      .flatMap(({ response }) => (response ? codingsOf(response) : []));
    return codings.length > 0 ? [...new Set(codings)] : undefined;
  },
  show: (codings) => `answers encoded as ${codings.join(", ")}`,
});
