import { defineFact } from "../fact.ts";
import { opening } from "../views/opening.ts";

export default defineFact({
  id: "latency",
  title: "Latency",
  describes:
    "Milliseconds from sending the opening to its whole reply; connecting, TLS and installing are not in it, the start of a process is.",
  run(transcript) {
    const opened = opening(transcript);
    if (!opened.opened) return undefined;
    const { sent, reply } = opened.exchange;
    return { opening: reply!.message.at - sent.at };
  },
  show: ({ opening: ms }) => `${ms} ms to open`,
});
