import { defineFact } from "../fact.ts";
import { exchanges } from "../views/exchanges.ts";

export default defineFact({
  id: "initialized_status",
  title: "Answer to initialized",
  describes:
    "The HTTP status of notifications/initialized where it is neither 200, 202 nor 204; official clients stop at a refusal, the probe goes on.",
  run(transcript) {
    const sent = exchanges(transcript).find(({ purpose }) => purpose === "initialized");
    const status = sent?.response?.status;
    return status === undefined || [200, 202, 204].includes(status) ? undefined : status;
  },
  show: (value) => `HTTP ${value}`,
});
