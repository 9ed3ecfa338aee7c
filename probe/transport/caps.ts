/** Where reading stops: at one message that outgrew its limit, or at too much in one attempt. */
import { limit } from "../rules.ts";

/** The limit that was passed, in bytes; undefined while neither was. */
export function passedLimit(message: number, attempt: number): number | undefined {
  if (message > limit("message")) return limit("message");
  return attempt > limit("attempt") ? limit("attempt") : undefined;
}
