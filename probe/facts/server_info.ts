import { defineFact } from "../fact.ts";
import { isFilled, own } from "../views/json.ts";
import { serverInfo } from "../views/opening.ts";

const MEMBERS = ["name", "version", "title"] as const;

export default defineFact({
  id: "server_info",
  title: "Server",
  describes: "Name, version and title that the server gives itself; only those that are not empty.",
  run(transcript) {
    const info = serverInfo(transcript)?.value;
    const said: Partial<Record<(typeof MEMBERS)[number], string>> = {};
    for (const member of MEMBERS) {
      const value = own(info, member);
      if (isFilled(value)) said[member] = value;
    }
    return Object.keys(said).length > 0 ? said : undefined;
  },
  show: ({ name, version }) => [name, version].filter((part) => part !== undefined).join(" "),
});
