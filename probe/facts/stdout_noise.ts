import { defineFact } from "../fact.ts";
import { messages } from "../views/messages.ts";
import { count } from "../views/words.ts";

export default defineFact({
  id: "stdout_noise",
  title: "Noise on standard output",
  describes: "Lines on standard output that are no JSON-RPC message; absent when there are none.",
  run(transcript) {
    const noise = messages(transcript).filter(
      ({ channel, shape }) => channel === "stdout" && (shape === "malformed" || shape === "other"),
    );
    return noise.length > 0 ? noise.length : undefined;
  },
  show: (value) => count(value, "line"),
});
