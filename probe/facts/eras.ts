import { defineFact } from "../fact.ts";
import { exchanges, resultOf } from "../views/exchanges.ts";
import { own } from "../views/json.ts";
import { eraOfRequest, opening } from "../views/opening.ts";

const ERAS = ["legacy", "modern"] as const;

export default defineFact({
  id: "eras",
  title: "Eras",
  describes:
    "The eras whose opening was seen to succeed, in a conversation that tried both; absent where only one was tried. A list of versions is no proof: servers of both eras name one alone.",
  run(transcript) {
    const tries = exchanges(transcript).filter(
      ({ purpose }) => purpose === "opening" || purpose === "other-era",
    );
    const tried = new Set(tries.map(eraOfRequest));
    if (tried.size < ERAS.length || !opening(transcript).opened) return undefined;
    return ERAS.filter((era) =>
      tries.some((exchange) => {
        const result = eraOfRequest(exchange) === era ? resultOf(exchange) : undefined;
        // What answers any method alike has said nothing about this one.
        return exchange.purpose === "opening"
          ? result !== undefined
          : Array.isArray(own(result, "supportedVersions"));
      }),
    );
  },
  show: (value) => value.join(" and "),
});
