import { defineFact } from "../fact.ts";
import { opening } from "../views/opening.ts";

export default defineFact({
  id: "era",
  title: "Era",
  describes:
    "The family of protocol versions that answered: legacy opens with initialize, modern is stateless.",
  run(transcript) {
    const opened = opening(transcript);
    return opened.opened ? opened.era : undefined;
  },
  show: (value) => (value === "modern" ? "modern (stateless)" : "legacy (initialize)"),
});
