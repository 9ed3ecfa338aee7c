import {
  type CheckResult,
  defineCheck,
  type EventRef,
  failed,
  passed,
  untested,
} from "../check.ts";
import type { Transcript } from "../transcript/schema.ts";
import { envelopes, type FaultReason } from "../views/envelopes.ts";
import { andMore, count } from "../views/words.ts";

/** What an author does about each kind of fault. */
const ADVICE: { readonly [R in FaultReason]: string } = {
  "stdout-noise": "Write logs and banners to stderr: stdout carries messages alone.",
  "byte-order-mark": "Write UTF-8 without a byte order mark.",
  "sse-not-json": "Put one whole JSON-RPC message into the data of each event.",
  "not-json-rpc": "Answer a request with a JSON-RPC response.",
  batch: "Send each message by itself.",
  "jsonrpc-member": 'Set jsonrpc to the string "2.0" in every message.',
  "result-and-error": "Leave the error out of a success, even as null.",
  "no-result-or-error": "Send a result, or an error.",
  "result-not-an-object": "Send an object; an empty result is {}.",
  "error-malformed": "Send an error as an object with an integer code and a string message.",
  "id-mismatch": "Repeat the request's id unchanged: the same value, and the same JSON type.",
  "second-response": "Answer each request once.",
  "answers-a-notification": "Answer a notification with HTTP 202 and no body.",
};

function run(transcript: Transcript): CheckResult {
  const { read, refs, faults } = envelopes(transcript);
  const [first, ...others] = faults;
  if (first) {
    const because = `${first.words}. ${ADVICE[first.reason]}${andMore(others.length)}`;
    return failed(first.reason, because, first.evidence);
  }
  const [one, ...more] = refs;
  if (one === undefined) return untested("not-reached", "The server sent no message to read.");
  const evidence: readonly [EventRef, ...EventRef[]] = [one, ...more];
  return passed(
    `${count(read, "message")} from the server, each a JSON-RPC 2.0 message.`,
    evidence,
  );
}

export default defineCheck({
  id: "L1.envelope",
  title: "Every message is JSON-RPC 2.0",
  passesWhen:
    "Every message of the server is a JSON-RPC 2.0 message, every response has the id of one request of ours, with the same type and value, and either a result object or a well-formed error, and stdout carries nothing else.",
  why: "A client ties answers to requests by their id: a wrong one makes it wait until its timeout, and a stray line on stdout makes strict clients give up.",
  fix: 'Copy id from the request as it came, send jsonrpc "2.0" with either result or error, leave notifications unanswered, and write logs to stderr.',
  needs: ["L0.capabilities"],
  run,
});
