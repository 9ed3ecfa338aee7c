import { defineFact } from "../fact.ts";
import { challengesOf } from "../views/challenges.ts";
import { type Exchange, exchanges } from "../views/exchanges.ts";
import { gateOf } from "../views/gates.ts";
import { opening } from "../views/opening.ts";

/** Where a login begins, by what was asked. */
const PLACES: Readonly<Record<string, string>> = {
  opening: "opening",
  stream: "opening",
  list: "lists",
  call: "calls",
};

export default defineFact({
  id: "auth",
  title: "Login",
  describes:
    "The login that a server asks for: none, bearer, oauth (a bearer challenge that names its metadata), other, or unadvertised; and where it begins.",
  run(transcript) {
    const gated = exchanges(transcript).find(
      (exchange) => gateOf(exchange)?.reason === "auth-required",
    );
    if (gated) return { model: modelOf(gated), where: PLACES[gated.purpose] ?? "later" };
    return opening(transcript).opened ? { model: "none", where: null } : undefined;
  },
  show: ({ model, where }) =>
    where === null ? "no login" : `login: ${model}, from the ${where} on`,
});

function modelOf(exchange: Exchange): string {
  const challenges = challengesOf(exchange);
  const bearer = challenges.find(({ scheme }) => scheme === "bearer");
  if (bearer) return bearer.parameters.has("resource_metadata") ? "oauth" : "bearer";
  return challenges.length > 0 ? "other" : "unadvertised";
}
