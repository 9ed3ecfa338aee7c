import { defineFact } from "../fact.ts";
import { eventsOf } from "../views/view.ts";

const STEPS = ["stdin", "SIGTERM", "SIGKILL"] as const;
const WORDS = { stdin: "clean", SIGTERM: "terminated", SIGKILL: "killed" } as const;

export default defineFact({
  id: "shutdown",
  title: "End of the process",
  describes:
    "What it took to end the process: clean at the end of its input, terminated by SIGTERM, killed by SIGKILL; absent when it ended by itself.",
  run({ events }) {
    const steps = new Set(eventsOf(events, "stopping").map(({ by }) => by));
    const last = STEPS.findLast((step) => steps.has(step));
    return last && WORDS[last];
  },
  show: String,
});
