import { defineFact } from "../fact.ts";
import type { Transcript } from "../transcript/schema.ts";
import { challengesOf } from "../views/challenges.ts";
import { type Exchange, exchanges } from "../views/exchanges.ts";
import { asksForLogin, gateIn, meetsGates } from "../views/gates.ts";
import { loginMetadata } from "../views/login-metadata.ts";
import { opening } from "../views/opening.ts";

/** Where a login begins, by what was asked. */
const PLACES: Readonly<Record<string, string>> = {
  opening: "opening",
  stream: "opening",
  initialized: "initialized",
  list: "lists",
  "unknown-method": "unknown-method",
  call: "calls",
  "bad-input": "calls",
};

const SHOWN: Readonly<Record<string, string>> = {
  opening: "the opening",
  initialized: "the notification that we are ready",
  lists: "the lists",
  "unknown-method": "the unknown method",
  calls: "the calls",
};

export default defineFact({
  id: "auth",
  title: "Login",
  describes:
    "The login that a server asks for: none; oauth, when its metadata is published (where that was not looked up: when a challenge names it); bearer; other; or unadvertised, without any challenge. And where it begins: opening, initialized, lists, unknown-method or calls.",
  run(transcript) {
    const { opened } = opening(transcript);
    const gated = exchanges(transcript).find(
      (exchange) =>
        meetsGates(exchange) &&
        // A GET by custom was not what is listed, where a POST opened.
        !(opened && exchange.purpose === "stream") &&
        asksForLogin(gateIn(transcript, exchange)),
    );
    if (gated) {
      return { model: modelOf(transcript, gated), where: PLACES[gated.purpose] ?? "later" };
    }
    return opened ? { model: "none", where: null } : undefined;
  },
  show: ({ model, where }) =>
    where === null ? "no login" : `${model}, from ${SHOWN[where] ?? where} on`,
});

function modelOf(transcript: Transcript, gated: Exchange): string {
  const { asked, server } = loginMetadata(transcript);
  const challenges = challengesOf(gated);
  const bearer = challenges.find(({ scheme }) => scheme === "bearer");
  const promised = !asked && bearer?.parameters.has("resource_metadata");
  if (server || promised) return "oauth";
  if (bearer) return "bearer";
  return challenges.length > 0 ? "other" : "unadvertised";
}
