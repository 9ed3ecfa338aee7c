import { cantTell, defineCheck, failed, passed } from "../check.ts";
import { own } from "../views/json.ts";
import { evidenceOf } from "../views/no-reply.ts";
import { capabilities, opening } from "../views/opening.ts";
import { shown } from "../views/words.ts";

export default defineCheck({
  id: "L0.capabilities",
  title: "Declares its capabilities",
  passesWhen: "The result of the opening has a capabilities object.",
  why: "Clients ask only for what is declared. Without the object they cannot know what to ask for, and many refuse to go on.",
  fix: 'Send "capabilities" as an object, {} when there are none, with one object for each thing the server offers.',
  needs: ["L0.protocol_version"],
  run(transcript) {
    const opened = opening(transcript);
    if (!opened.opened)
      return cantTell("probe-failed", "There is no opening to read capabilities from.");
    const evidence = evidenceOf(opened.exchange);
    const declared = capabilities(opened);
    if (declared) {
      const names = Object.keys(declared).sort();
      const what = names.length > 0 ? names.slice(0, 10).map(shown).join(", ") : "none";
      return passed(`Declares ${what}.`, evidence);
    }
    const because = `Expected an object in "capabilities", but it is ${shown(own(opened.result, "capabilities"))}.`;
    return failed("capabilities-malformed", because, evidence);
  },
});
