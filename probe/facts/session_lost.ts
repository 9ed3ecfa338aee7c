import { defineFact } from "../fact.ts";
import { exchanges, responseHeader } from "../views/exchanges.ts";
import { opening } from "../views/opening.ts";

export default defineFact({
  id: "session_lost",
  title: "Session lost",
  describes:
    "Whether a server that gave out a session forgot it during the conversation, so that it had to be opened again.",
  run(transcript) {
    const opened = opening(transcript);
    if (!opened.opened || responseHeader(opened.exchange, "mcp-session-id") === undefined) {
      return undefined;
    }
    return exchanges(transcript).some(({ purpose }) => purpose === "reopening");
  },
  show: (value) => (value ? "forgot its session" : "kept its session"),
});
