/** The HTTP responses that hold the conversation: those to its requests, with a status of success. */
import { type Exchange, exchanges } from "./exchanges.ts";
import { view } from "./view.ts";

const ASIDE: ReadonlySet<Exchange["purpose"]> = new Set([
  "initialized",
  "answer",
  "goodbye",
  "other-era",
  "auth-metadata",
]);

export const responses = view((transcript): readonly Exchange[] =>
  exchanges(transcript).filter(
    ({ purpose, response, reply }) =>
      !ASIDE.has(purpose) && reply !== undefined && response !== undefined && response.status < 300,
  ),
);
