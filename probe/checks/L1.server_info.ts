import { cantTell, defineCheck, failed, passed, untested } from "../check.ts";
import { isFilled, own } from "../views/json.ts";
import { evidenceOf } from "../views/no-reply.ts";
import { opening, serverInfo } from "../views/opening.ts";
import { shown } from "../views/words.ts";

export default defineCheck({
  id: "L1.server_info",
  title: "Says its name and version",
  passesWhen:
    "The member serverInfo has a name and a version that are not empty; where protocol 2026-07-28 only recommends it, its absence is not a failure.",
  why: "A result belongs to one version of one server. Without both, nobody can tell what was measured, or report a fault to the right place.",
  fix: "Set name and version where the server is made; most SDKs take both as arguments. Raise the version with every release.",
  needs: ["L0.capabilities"],
  run(transcript) {
    const opened = opening(transcript);
    if (!opened.opened)
      return cantTell("probe-failed", "There is no opening to read serverInfo from.");
    const info = serverInfo(transcript);
    if (!info) {
      const evidence = evidenceOf(opened.exchange);
      return opened.era === "modern"
        ? untested(
            "server-info-absent",
            "No result carries serverInfo, which this version of the protocol only recommends.",
            evidence,
          )
        : failed(
            "server-info-absent",
            'Expected "serverInfo" in the result of initialize, but there is none.',
            evidence,
          );
    }
    const evidence = evidenceOf(info.exchange);
    const [name, version] = [own(info.value, "name"), own(info.value, "version")];
    if (isFilled(name) && isFilled(version)) {
      return passed(`The server is ${shown(name)}, version ${shown(version)}.`, evidence);
    }
    const because = `Expected a name and a version in serverInfo, but name is ${shown(name)} and version is ${shown(version)}. Fill in both.`;
    return failed("server-info-incomplete", because, evidence);
  },
});
