import { defineFact } from "../fact.ts";
import { exchanges } from "../views/exchanges.ts";

/** After so many milliseconds a response that has not ended is not merely slow. */
const LONG = 1000;

const isOurs = (type: string): boolean => type === "timed-out" || type === "closed";

export default defineFact({
  id: "notification",
  title: "Taking of a notification",
  describes:
    "How the server took notifications/initialized over HTTP: by a status alone, with a body although nothing was asked, or without an end (hangs).",
  run(transcript) {
    const told = exchanges(transcript).find(({ purpose }) => purpose === "initialized");
    if (!told || told.sent.http === undefined) return undefined;
    if (told.end && isOurs(told.end.type)) {
      return told.end.at - told.sent.at >= LONG ? "hangs" : undefined;
    }
    if (!told.response) return undefined;
    const answered = told.response.exchange;
    const spoke = transcript.events.some(
      (event) => event.type === "received" && event.channel === answered,
    );
    return spoke ? "body" : "status";
  },
  show: (value) =>
    value === "hangs" ? "never ends" : value === "body" ? "with a body" : "by a status alone",
});
