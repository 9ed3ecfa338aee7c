/** Why a request has no usable reply: one reading for every check that waits for one. */
import { cantTell, type CheckResult, type EventRef, failed, untested } from "../check.ts";
import { limit } from "../rules.ts";
import type { EventOf, Transcript } from "../transcript/schema.ts";
import { codingsOf } from "./codings.ts";
import { errorOf, type Exchange, exchanges, responseHeader } from "./exchanges.ts";
import {
  answerAside,
  streamEnd,
  streamFailure,
  type StreamFailure,
  streamOf,
} from "./event-stream.ts";
import { gateIn } from "./gates.ts";
import { own } from "./json.ts";
import { eventsOf } from "./view.ts";
import { duration, excerpt, shown } from "./words.ts";

type Evidence = readonly [EventRef, ...EventRef[]];

/** What a server did instead of answering with a result, in words that follow "the server". */
export interface Instead {
  /** `probe` when we stopped listening for a reason of our own. */
  readonly fault: "server" | "probe";
  readonly reason:
    | "rpc-error"
    | "result-not-an-object"
    | "timeout"
    | "size-cap"
    | "exited"
    | "http-status"
    | "redirect-not-followed"
    | "not-json-rpc"
    | "closed-without-response"
    | "probe-failed"
    | "answered-aside"
    | StreamFailure["reason"];
  readonly words: string;
  readonly evidence: Evidence;
}

/** The events of an exchange that show how it went: sent, head, reply or what came instead. */
export function evidenceOf(exchange: Exchange): Evidence {
  const { sent, hops, reply, late, end } = exchange;
  const heads = hops.flatMap((hop) => [hop.sent.ref, hop.response?.ref]);
  const others = [...heads, reply?.ref, late?.ref, end?.ref].filter((ref) => ref !== undefined);
  return [sent.ref, ...new Set(others.filter((ref) => ref !== sent.ref).sort((a, b) => a - b))];
}

/** How the process behind a pipe ended by itself around an exchange; undefined when it did not. */
export function exitAround(transcript: Transcript, exchange: Exchange) {
  if (exchange.sent.replies !== "stdout") return undefined;
  const { ref } = exchange.sent;
  const starts = eventsOf(transcript.events, "spawned").map((event) => event.ref);
  const from = starts.findLast((start) => start < ref) ?? -1;
  const to = starts.find((start) => start > ref) ?? Infinity;
  const within = (event: { readonly ref: EventRef }) => event.ref > from && event.ref < to;
  const exited = eventsOf(transcript.events, "exited").find(within);
  const stopping = eventsOf(transcript.events, "stopping").find(within);
  return exited && exited.ref < (stopping?.ref ?? Infinity) ? exited : undefined;
}

/** What came instead of a result. Meant for an exchange without one that met no gate. */
export function insteadOf(transcript: Transcript, exchange: Exchange): Instead {
  const evidence = evidenceOf(exchange);
  const by = (
    reason: Instead["reason"],
    words: string,
    more: readonly EventRef[] = [],
  ): Instead => ({
    fault: reason === "probe-failed" ? "probe" : "server",
    reason,
    words,
    evidence: [...evidence, ...more.filter((ref) => !evidence.includes(ref))],
  });
  const { reply, late, end, response } = exchange;
  if (reply) return by(...answered(exchange));
  const excess = eventsOf(transcript.events, "capped").find(
    ({ of, channel, ref }) =>
      of !== undefined && channel === exchange.sent.replies && ref > exchange.sent.ref,
  );
  if (excess) {
    return by("probe-failed", EXCESS[excess.of!](excess.limit), [excess.ref]);
  }
  // The status has said it all, whatever became of the body behind it.
  const status = response?.status ?? 200;
  if (status >= 400) return by("http-status", `answered HTTP ${status}`);
  if (status >= 300) {
    const why = unfollowed(transcript, exchange);
    const what = exchange.purpose === "stream" ? "the GET with " : "";
    const words = `answered ${what}HTTP ${status}${destination(exchange)}${why.words}`;
    return by(
      why.evidence.length > 0 ? "redirect-not-followed" : "http-status",
      words,
      why.evidence,
    );
  }
  if (end?.type === "capped") {
    if (end.limit >= limit("attempt")) {
      return by(
        "probe-failed",
        `sent more than the ${sizeOf(end.limit)} that we read in one attempt`,
      );
    }
    const what = response ? "as one message" : "before the body of its response";
    return by("size-cap", `sent more than ${sizeOf(end.limit)} ${what}`);
  }
  if (exchange.purpose === "stream") {
    const { reason, words, evidence: more } = streamFailure(exchange);
    return by(reason, words, more);
  }
  const stream = streamOf(transcript, exchange);
  const aside = stream && answerAside(transcript, exchange);
  if (aside) {
    const words =
      "answered in the response to the POST, and not on the event stream as HTTP+SSE asks";
    return by("answered-aside", words, [aside.ref]);
  }
  if (end?.type === "timed-out") {
    const after = late
      ? `; the answer came after ${duration(late.message.at - exchange.sent.at)}`
      : "";
    return by("timeout", `did not answer within ${duration(end.after)}${after}`);
  }
  const exited = exitAround(transcript, exchange);
  if (exited) {
    const how = exited.signal === null ? `exit code ${exited.code}` : `signal ${exited.signal}`;
    // Its last words on standard error mostly say why.
    const words = transcript.events.findLastIndex(
      (event, ref) =>
        event.type === "received" &&
        event.channel === "stderr" &&
        ref > exchange.sent.ref &&
        ref < exited.ref,
    );
    return by("exited", `ended its process (${how}) instead of answering`, [
      ...(words < 0 ? [] : [words]),
      exited.ref,
    ]);
  }
  const gone = stream && streamEnd(transcript, stream);
  if (gone && (end?.type === "broke" || end?.type === "ended") && gone.ref <= end.ref) {
    const how = gone.type === "broke" ? `broke (${shown(gone.fault.code)})` : "ended";
    const words = `${how} its event stream before the answer`;
    return by("closed-without-response", words, [gone.ref]);
  }
  if (end?.type === "broke") {
    const codings = response ? codingsOf(response) : [];
    if (codings.length > 0 && !/^E[A-Z]+$/.test(end.fault.code)) {
      const name = codings.toReversed().join(", ");
      return by("not-json-rpc", `sent a body that is no ${name} (${shown(end.fault.code)})`);
    }
    // Codes of the HTTP parser: the connection was ours to end.
    const did = end.fault.code.startsWith("HPE_") ? "sent what is no HTTP" : "broke the connection";
    return by("closed-without-response", `${did} (${shown(end.fault.code)})`);
  }
  if (end?.type === "ended" && exchange.sent.replies === "stdout") {
    return by("closed-without-response", "closed its standard output without answering");
  }
  const resumed = exchange.hops.findLast(({ sent }) => sent.purpose === "resume");
  if (end?.type === "ended" && resumed) {
    const status = resumed.response ? ` (HTTP ${resumed.response.status})` : "";
    return by(
      "closed-without-response",
      `ended the stream, and did not answer when it was resumed${status}`,
    );
  }
  if (end?.type === "ended") {
    const body = exchange.bodyStart();
    if (body.trim() === "") return by("closed-without-response", nothing(status));
    const type = responseHeader(exchange, "content-type");
    const only = exchange.messages.some(
      ({ shape }) => shape === "request" || shape === "notification",
    );
    return only
      ? by("closed-without-response", "ended the stream without the answer")
      : by(
          "not-json-rpc",
          `answered with ${shown(type)} that is no JSON-RPC response: ${excerpt(body)}`,
        );
  }
  return by("probe-failed", "was not waited for: we stopped listening before its time was over");
}

/** What was too much for us. */
const EXCESS: Readonly<Record<NonNullable<EventOf<"capped">["of"]>, (limit: number) => string>> = {
  messages: (limit) => `sent more than the ${limit} messages that we read in one attempt`,
  values: (limit) => `sent more than the ${limit} JSON values that we read in one attempt`,
  space: (limit) =>
    `was heard no further: our own disk was full after ${limit} bytes of this attempt`,
};

/** Where a redirect leads. */
function destination(exchange: Exchange): string {
  const location = responseHeader(exchange, "location");
  return location === undefined ? "" : ` to ${excerpt(location)}`;
}

/** Why a redirect was not followed, where that is on record. */
function unfollowed(transcript: Transcript, exchange: Exchange) {
  const last = exchange.hops.at(-1)!.sent.exchange;
  const broke = eventsOf(transcript.events, "broke").find(
    (event) => event.exchange === last && event.fault.code.startsWith("REDIRECT_"),
  );
  if (broke) {
    const words = `, which was not followed: ${broke.fault.message}`;
    return { words, evidence: [broke.ref] };
  }
  const turns = [301, 302, 303].includes(exchange.response?.status ?? 0);
  const words = turns ? ", which may turn a POST into a GET and was not followed" : "";
  return { words, evidence: [] };
}

const sizeOf = (bytes: number) =>
  bytes < 1024 * 1024
    ? `${Math.round(bytes / 1024)} KiB`
    : `${Math.round(bytes / 1024 / 1024)} MiB`;

function answered(exchange: Exchange): [Instead["reason"], string] {
  const error = errorOf(exchange);
  if (error) {
    return ["rpc-error", `answered with error ${shown(error.code)}: ${shown(error.message)}`];
  }
  const { json } = exchange.reply!;
  if (!Object.hasOwn(json, "result")) {
    return ["rpc-error", `answered with an error that is ${shown(own(json, "error"))}`];
  }
  return ["result-not-an-object", `answered with a result that is ${shown(own(json, "result"))}`];
}

function nothing(status: number): string {
  return status === 202
    ? "only accepted the request (HTTP 202) and never answered it"
    : `ended the response (HTTP ${status}) without a body`;
}

/** The result of a check whose request brought no usable answer: gated, failed, or our own doing. */
export function withoutAnswer(
  transcript: Transcript,
  exchange: Exchange,
  expected: string,
  advice: string,
): CheckResult {
  const gate = gateIn(transcript, exchange);
  if (gate) {
    return untested(
      gate.reason,
      `${expected}, but the server ${gate.words}.`,
      evidenceOf(exchange),
    );
  }
  const { fault, reason, words, evidence } = insteadOf(transcript, exchange);
  const because = `${expected}, but the server ${words}.`;
  return fault === "server"
    ? failed(reason, `${because} ${advice}`, evidence)
    : cantTell(reason, because, evidence);
}

/** The result of a check whose request was never sent, by what stopped the conversation before. */
export function notAsked(transcript: Transcript, method: string): CheckResult {
  if (transcript.kind === "liveness") {
    return untested(
      "not-asked",
      `${method} was not asked: a liveness run goes no further than L0.`,
    );
  }
  const gated = exchanges(transcript).findLast(
    (exchange) => BATTERY.has(exchange.purpose) && gateIn(transcript, exchange) !== undefined,
  );
  if (gated) {
    const { reason, words } = gateIn(transcript, gated)!;
    return untested(
      reason,
      `${method} was not asked, because at ${gated.method ?? "a request"} the server ${words}.`,
      evidenceOf(gated),
    );
  }
  return untested("not-reached", `${method} was not asked: the conversation had ended before.`);
}

/** What is asked after the opening, and counts. */
export const BATTERY: ReadonlySet<string> = new Set([
  "list",
  "unknown-method",
  "call",
  "bad-input",
]);
