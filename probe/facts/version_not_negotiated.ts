import { defineFact } from "../fact.ts";
import { isFilled, own } from "../views/json.ts";
import { exchanges } from "../views/exchanges.ts";
import { opening } from "../views/opening.ts";

export default defineFact({
  id: "version_not_negotiated",
  title: "Version not negotiated",
  describes:
    "The protocol versions that initialize refused before it accepted another one; a server is asked to answer with a version of its own instead. Absent when the first was accepted.",
  run(transcript) {
    const opened = opening(transcript);
    if (!opened.opened || opened.era !== "legacy") return undefined;
    const refused = exchanges(transcript)
      .filter(({ purpose, sent }) => purpose === "opening" && sent.ref < opened.exchange.sent.ref)
      .map(({ params }) => own(params, "protocolVersion"))
      .filter(isFilled);
    return refused.length > 0 ? refused : undefined;
  },
  show: (value) => `refused ${value.join(", ")} before it accepted another`,
});
