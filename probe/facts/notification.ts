import { defineFact } from "../fact.ts";
import { limit } from "../rules.ts";
import { exchanges } from "../views/exchanges.ts";

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
      return told.end.at - told.sent.at >= limit("notification-taken") ? "hangs" : undefined;
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
