import { defineFact } from "../fact.ts";
import { negotiatedVersion, opening } from "../views/opening.ts";

export default defineFact({
  id: "protocol_version",
  title: "Protocol version",
  describes: "The version that both sides went on with, as the server wrote it.",
  run(transcript) {
    const version = negotiatedVersion(opening(transcript));
    return typeof version === "string" ? version : undefined;
  },
  show: (value) => `protocol ${value}`,
});
