import { cantTell, defineCheck, failed, passed, untested } from "../check.ts";
import { eraOf, newestVersion, protocolVersions } from "../rules.ts";
import { own } from "../views/json.ts";
import { newerVersionsIn } from "../views/newer-protocol.ts";
import { evidenceOf } from "../views/no-reply.ts";
import { negotiatedVersion, opening } from "../views/opening.ts";
import { shown } from "../views/words.ts";

const PUBLISHED = protocolVersions.map(({ version }) => version).join(", ");

export default defineCheck({
  id: "L0.protocol_version",
  title: "Names a published protocol version",
  passesWhen:
    "The result's protocolVersion is a version that the specification has published; in the modern era supportedVersions is a list that holds the one we used.",
  why: "The version decides how both sides read each other. One that was never published promises nothing.",
  fix: "Answer with the version that the client offered if you support it, else with the newest published one that you do. 2024-10-07, which some SDKs list, was never published.",
  needs: ["L0.initialize"],
  run(transcript) {
    const opened = opening(transcript);
    if (!opened.opened)
      return cantTell("probe-failed", "There is no opening to read a version from.");
    const evidence = evidenceOf(opened.exchange);
    const newer = newerVersionsIn(opened.result);
    if (newer) {
      const names = newer.slice(0, 5).map(shown).join(", ");
      const because = `The server goes on with ${names} alone, which is newer than any version that we know.`;
      return untested("newer-protocol", because, evidence);
    }
    const version = negotiatedVersion(opened);
    if (opened.era === "modern") {
      const supported = own(opened.result, "supportedVersions");
      const listed = Array.isArray(supported) ? (supported as unknown[]) : undefined;
      if (listed?.includes(version))
        return passed(`supportedVersions holds ${shown(version)}.`, evidence);
      const found = listed
        ? `it lists ${listed.slice(0, 5).map(shown).join(", ") || "nothing"}`
        : `it is ${shown(supported)}`;
      const because = `Expected supportedVersions to hold ${newestVersion("modern")}, in which the server answered, but ${found}.`;
      return failed("unpublished-version", because, evidence);
    }
    if (eraOf(version) !== undefined)
      return passed(`protocolVersion is ${shown(version)}.`, evidence);
    const because = `Expected a published version (${PUBLISHED}), but protocolVersion is ${shown(version)}. Name one that you implement.`;
    return failed("unpublished-version", because, evidence);
  },
});
