import { defineFact } from "../fact.ts";

const NAMES = {
  stdio: "stdio",
  "streamable-http": "streamable HTTP",
  sse: "HTTP+SSE",
} as const;

export default defineFact({
  id: "transport",
  title: "Transport",
  describes: "How messages travel: stdio, streamable HTTP, or the older HTTP+SSE.",
  run: ({ target }) => (target.kind === "remote" ? target.transport : "stdio"),
  show: (value) => NAMES[value],
});
