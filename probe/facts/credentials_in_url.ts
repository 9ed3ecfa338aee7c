import { defineFact } from "../fact.ts";
import { exchanges } from "../views/exchanges.ts";
import { asksForLogin, gateOf, meetsGates } from "../views/gates.ts";

const NAME = /^(?:api[_-]?key|key|token|access[_-]?token|secret|auth)$/i;
/** "Missing query parameter api_key", "pass ?token=". */
const ASKED =
  /\b(?:query|url)\s+(?:string\s+)?param(?:eter)?s?\s*[:=]?\s*["'`]?([\w-]{1,40})|[?&]([\w-]{1,40})=/gi;

export default defineFact({
  id: "credentials_in_url",
  title: "Credentials in the URL",
  describes:
    "Names of query parameters that are to carry a credential, by the listing's URL or by an answer that asks for one. URLs end up in logs; the specification forbids tokens in them. Absent when there are none.",
  run(transcript) {
    const { target } = transcript;
    if (target.kind !== "remote") return undefined;
    const query = target.url.split("#", 1)[0]!.split("?").slice(1).join("?");
    const listed = query
      .split("&")
      .map((pair) => pair.split("="))
      .filter(([, value = ""]) => value === "" || /^(?:\{|%7b)/i.test(value))
      .map(([name = ""]) => name);
    const asked = exchanges(transcript)
      .filter((exchange) => meetsGates(exchange) && asksForLogin(gateOf(exchange)))
      .flatMap((exchange) => [...exchange.bodyStart().matchAll(ASKED)])
      .map(([, named, inLink]) => named ?? inLink ?? "");
    const names = [...new Set([...listed, ...asked].filter((name) => NAME.test(name)))].sort();
    return names.length > 0 ? names : undefined;
  },
  show: (value) => value.join(", "),
});
