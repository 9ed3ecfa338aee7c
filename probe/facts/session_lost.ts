import { defineFact } from "../fact.ts";
import { exchanges } from "../views/exchanges.ts";

export default defineFact({
  id: "session_lost",
  title: "Session lost",
  describes:
    "True for a server that gave out a session, and forgot it during the conversation: it had to be opened again.",
  run: (transcript) =>
    exchanges(transcript).some(({ purpose }) => purpose === "reopening") || undefined,
  show: () => "forgot its session",
});
