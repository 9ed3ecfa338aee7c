import { defineFact } from "../fact.ts";
import { opening } from "../views/opening.ts";

const NAMES = {
  stdio: "stdio",
  "streamable-http": "streamable HTTP",
  sse: "HTTP+SSE",
} as const;

export default defineFact({
  id: "transport",
  title: "Transport",
  describes:
    "How messages travel: stdio, streamable HTTP, or the older HTTP+SSE. The one that answered the opening; the listed one when none did.",
  run(transcript): keyof typeof NAMES {
    const { target } = transcript;
    if (target.kind !== "remote") return "stdio";
    const opened = opening(transcript);
    if (!opened.opened) return target.transport;
    const { sent } = opened.exchange;
    return sent.replies === sent.exchange ? "streamable-http" : "sse";
  },
  show: (value) => NAMES[value],
});
