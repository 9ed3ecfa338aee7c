import { type CheckResult, defineCheck, failed, passed } from "../check.ts";
import { errorOf, type Exchange, exchanges, METHOD_NOT_FOUND } from "../views/exchanges.ts";
import { gateIn } from "../views/gates.ts";
import { evidenceOf, notAsked, withoutAnswer } from "../views/no-reply.ts";
import { shown } from "../views/words.ts";

const INVALID_PARAMS = -32602;

export default defineCheck({
  id: "L1.unknown_method",
  title: "Refuses methods that it does not know",
  passesWhen:
    "A method that nobody defines is answered with the JSON-RPC error −32601; the HTTP status plays no part.",
  why: "Clients try newer methods and fall back when they are told that one does not exist. Any other answer, or none, leaves them guessing or waiting.",
  fix: "Answer methods without a handler with the error code -32601. Servers on version 1 of the Python SDK answer -32602; version 2 of it does not.",
  needs: ["L0.capabilities"],
  run(transcript) {
    const exchange = exchanges(transcript).find(({ purpose }) => purpose === "unknown-method");
    if (!exchange) return notAsked(transcript, "An unknown method");
    if (errorOf(exchange)?.code === METHOD_NOT_FOUND) {
      return passed(`Answered with error ${METHOD_NOT_FOUND}.`, evidenceOf(exchange));
    }
    if (exchange.reply && !gateIn(transcript, exchange)) return answered(exchange);
    return withoutAnswer(
      transcript,
      exchange,
      `Expected error ${METHOD_NOT_FOUND} for an unknown method`,
      "Answer every request, also one that you do not know.",
    );
  },
});

/** An answer that neither refuses the method in the right words nor says "not you, or not now". */
function answered(exchange: Exchange): CheckResult {
  const evidence = evidenceOf(exchange);
  const code = errorOf(exchange)?.code;
  const expected = `Expected error ${METHOD_NOT_FOUND} for an unknown method, but the server answered with`;
  if (Object.hasOwn(exchange.reply!.json, "result")) {
    return failed("result-for-unknown-method", `${expected} a result, as if it knew it.`, evidence);
  }
  const hint =
    code === INVALID_PARAMS
      ? " Version 1 of the Python SDK answers so, whatever the server does; version 2 does not."
      : "";
  return failed("wrong-error-code", `${expected} code ${shown(code)}.${hint}`, evidence);
}
