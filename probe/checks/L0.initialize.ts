import { cantTell, type CheckResult, defineCheck, failed, passed, untested } from "../check.ts";
import { limit, missingCredential, missingService, sandboxFault } from "../rules.ts";
import type { Transcript } from "../transcript/schema.ts";
import { newerProtocol } from "../views/newer-protocol.ts";
import { eraOfRequest, opening } from "../views/opening.ts";
import { evidenceOf, exitAround, withoutAnswer } from "../views/no-reply.ts";
import { lastWords } from "../views/output.ts";
import { duration, excerpt, shown } from "../views/words.ts";
import type { Exchange } from "../views/exchanges.ts";

const LIMIT = limit("opening");

export default defineCheck({
  id: "L0.initialize",
  title: "Opens the conversation",
  passesWhen:
    "The request initialize returns a result within 10 seconds of our first byte; a server of protocol 2026-07-28, which has no initialize, is asked server/discover.",
  why: "Every client opens with this request. A server that does not answer it cannot be used, whatever else it can do.",
  fix: "Answer initialize with a result object that holds protocolVersion, capabilities and serverInfo, at once: move slow start-up work behind it. Run the same command or URL by hand and read what it says.",
  needs: ["L0.tls"],
  run(transcript) {
    const opened = opening(transcript);
    if (opened.opened) {
      const { sent, reply, method } = opened.exchange;
      const took = reply!.message.at - sent.at;
      const because = `${method} returned a result after ${duration(took)}.`;
      if (took > LIMIT) {
        const late = `Expected a result within ${duration(LIMIT)}, but ${method} took ${took} ms. Move slow start-up work behind it.`;
        return failed("timeout", late, evidenceOf(opened.exchange));
      }
      // verdict/1.0.0 asks for initialize by its name and reads this reason as a failure.
      const extra = opened.era === "modern" ? { reason: "era-modern" } : {};
      return passed(because, evidenceOf(opened.exchange), extra);
    }
    const { exchange } = opened;
    if (!exchange)
      return cantTell("probe-failed", "The opening was never sent, which is our fault.");
    const newer = newerProtocol(transcript);
    if (newer) {
      const because = `The server speaks ${newer.map(shown).join(", ")} alone, which is newer than any version that we know.`;
      return untested("newer-protocol", because, evidenceOf(exchange));
    }
    return ended(transcript, exchange) ?? refused(transcript, exchange);
  },
});

/** A process that ended unanswered and says, or whose listing says, what it did not have. */
function ended(transcript: Transcript, exchange: Exchange): CheckResult | undefined {
  const exited = exitAround(transcript, exchange);
  if (!exited) return undefined;
  const { sent } = exchange;
  const { missing } = transcript.target;
  if (missing.length > 0) {
    const names = missing.map(shown).join(", ");
    const because = `The process ended before it answered, and its listing requires ${names}, which only its user can set.`;
    return untested("needs-configuration", because, [sent.ref, exited.ref]);
  }
  const credential = lastWords(transcript, exchange, missingCredential);
  if (credential) {
    const because = `The process ended before it answered, for want of what only its user can set: ${excerpt(credential.said)}.`;
    return untested("needs-configuration", because, [sent.ref, ...credential.evidence]);
  }
  const fault = lastWords(transcript, exchange, sandboxFault);
  if (fault) {
    const because = `The process ended before it answered, because our sandbox failed it: ${excerpt(fault.said)}. That says nothing about the server.`;
    return cantTell("control-failed", because, [sent.ref, ...fault.evidence]);
  }
  const service = lastWords(transcript, exchange, missingService);
  if (service) {
    const because = `The process ended before it answered, for want of a service or a program that the sandbox does not have: ${excerpt(service.said)}.`;
    return untested("needs-service", because, [sent.ref, ...service.evidence]);
  }
  return undefined;
}

function refused(transcript: Transcript, exchange: Exchange): CheckResult {
  const method = eraOfRequest(exchange) === "legacy" ? "initialize" : "server/discover";
  const advice =
    exchange.purpose === "stream"
      ? "Begin the event stream with an endpoint event that names a path on the same origin."
      : "Answer it with a result object.";
  return withoutAnswer(transcript, exchange, `Expected ${method} to return a result`, advice);
}
