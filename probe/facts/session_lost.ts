import { defineFact } from "../fact.ts";
import { exchanges } from "../views/exchanges.ts";

export default defineFact({
  id: "session_lost",
  title: "Session lost",
  describes:
    "True for a server that forgot the session it had given out: a request was refused, and answered once another session was open.",
  run(transcript) {
    const all = exchanges(transcript);
    const reopened = all.find(({ purpose }) => purpose === "reopening");
    if (!reopened) return undefined;
    // A server that refuses the same request again had not forgotten us: it refuses the request.
    const cured = all.some(
      ({ hops, reply, response }) =>
        hops[0].sent.ref < reopened.sent.ref &&
        hops.at(-1)!.sent.ref > reopened.sent.ref &&
        reply !== undefined &&
        (response?.status ?? 200) < 400,
    );
    return cured || undefined;
  },
  show: () => "forgot its session",
});
