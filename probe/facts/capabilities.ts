import { defineFact } from "../fact.ts";
import { capabilities, opening } from "../views/opening.ts";

export default defineFact({
  id: "capabilities",
  title: "Capabilities",
  describes: "Names of the capabilities that the server declares, in code point order.",
  run(transcript) {
    const declared = capabilities(opening(transcript));
    return declared && Object.keys(declared).sort();
  },
  show: (value) => value.join(", ") || "none",
});
