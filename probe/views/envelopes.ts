/** What is wrong with the envelopes of a server's messages, one fault a message at the most. */
import type { EventRef } from "../check.ts";
import { type Attribution, asks, attribution } from "./attribution.ts";
import type { Exchange } from "./exchanges.ts";
import { isObject, type JsonObject, own } from "./json.ts";
import type { Message } from "./messages.ts";
import { negotiatedVersion, opening } from "./opening.ts";
import { view } from "./view.ts";
import { excerpt, shown } from "./words.ts";

export type FaultReason =
  | "stdout-noise"
  | "byte-order-mark"
  | "sse-not-json"
  | "not-json-rpc"
  | "batch"
  | "jsonrpc-member"
  | "result-and-error"
  | "no-result-or-error"
  | "result-not-an-object"
  | "error-malformed"
  | "id-mismatch"
  | "second-response"
  | "answers-a-notification";

export interface EnvelopeFault {
  readonly reason: FaultReason;
  /** Which message it is, and what is wrong with it: one sentence without its stop. */
  readonly words: string;
  readonly evidence: readonly [EventRef, ...EventRef[]];
}

export interface Envelopes {
  /** How many messages were read. */
  readonly read: number;
  /** The events that completed them. */
  readonly refs: readonly EventRef[];
  readonly faults: readonly EnvelopeFault[];
}

type Found = readonly [reason: FaultReason, words: string];

export const envelopes = view((transcript): Envelopes => {
  const heard = attribution(transcript);
  const batches = negotiatedVersion(opening(transcript)) === "2025-03-26"; // No other version has them.
  const context: Context = { ...heard, answered: new Set(), batches };
  const read = heard.messages.filter(
    (message) =>
      message.shape !== "ignored" &&
      (message.shape === "response" || !isAside(message, heard.owner(message))),
  );
  const faults = read.flatMap((message): EnvelopeFault[] => {
    const found = faultOf(message, context);
    if (!found) return [];
    const response = message.shape === "response" ? context.asked(message).at(-1) : undefined;
    const request = context.owner(message) ?? response;
    const evidence = request
      ? ([request.sent.ref, message.ref] as const)
      : ([message.ref] as const);
    return [{ reason: found[0], words: found[1], evidence }];
  });
  const refs = [...new Set(read.map(({ ref }) => ref))];
  return { read: read.length, refs, faults };
});

/** What was read, whom it may answer, and which requests have had their answer. */
interface Context extends Attribution {
  readonly answered: Set<Exchange>;
  readonly batches: boolean;
}

function faultOf(message: Message, context: Context): Found | undefined {
  const owner = context.owner(message);
  const refused = isRefusal(owner);
  const carrier = carrierOf(message, owner);
  const by = (reason: FaultReason, words: string): Found => [reason, `${carrier} ${words}`];
  if (message.bom) return by("byte-order-mark", "begins with a byte order mark");
  switch (message.shape) {
    case "ignored":
      return undefined;
    case "malformed":
    case "other":
      return noise(message, owner, by);
    case "batch": {
      const members = message.json as unknown[];
      const claims = members.some((json) => own(json, "jsonrpc") !== undefined);
      if (refused && !claims) return undefined;
      if (!context.batches) return by("batch", "is an array, which the negotiated version lacks");
      if (members.length === 0) return by("not-json-rpc", "is an empty array, which is no message");
      const found = members.map((json) => memberFault(json, message, context));
      const first = found.find((fault) => fault !== undefined);
      return first && by(...first);
    }
    case "request":
    case "notification": {
      if (refused) return undefined;
      const { json } = message;
      if (own(json, "jsonrpc") === "2.0" && typeof own(json, "method") === "string")
        return undefined;
      return message.channel === "stdout"
        ? noise(message, owner, by)
        : by("jsonrpc-member", `has jsonrpc ${shown(own(json, "jsonrpc"))}, not "2.0"`);
    }
    case "response": {
      // Error pages of HTTP come as JSON too; without a jsonrpc member they claim nothing.
      if (refused && own(message.json, "jsonrpc") === undefined) return undefined;
      const found = responseFault(message.json as JsonObject, message, context);
      return found && by(...found);
    }
  }
}

function noise(
  message: Message,
  owner: Exchange | undefined,
  by: (reason: FaultReason, words: string) => Found,
): Found | undefined {
  const text = excerpt(message.text);
  if (message.channel === "stdout") return by("stdout-noise", `is no JSON-RPC message: ${text}`);
  if (message.shape === "malformed") {
    // A whole body that is not JSON is charged to the check that waited for it.
    return message.sse && by("sse-not-json", `is not JSON: ${text}`);
  }
  const answersRequest = owner !== undefined && asks(owner) && !isRefusal(owner);
  if (!message.sse && !answersRequest) return undefined;
  return by("not-json-rpc", `is JSON but no JSON-RPC message: ${text}`);
}

function memberFault(json: unknown, message: Message, context: Context): Found | undefined {
  if (!isObject(json)) return ["not-json-rpc", `holds ${shown(json)}, which is no message`];
  if (!Object.hasOwn(json, "method")) return responseFault(json, message, context);
  const valid = json["jsonrpc"] === "2.0" && typeof json["method"] === "string";
  return valid ? undefined : ["jsonrpc-member", `holds a message without jsonrpc "2.0"`];
}

function responseFault(json: JsonObject, message: Message, context: Context): Found | undefined {
  const owner = context.owner(message);
  const refused = isRefusal(owner);
  const [hasResult, hasError] = [Object.hasOwn(json, "result"), Object.hasOwn(json, "error")];
  const [jsonrpc, id] = [own(json, "jsonrpc"), own(json, "id")];
  if (jsonrpc !== "2.0") return ["jsonrpc-member", `has jsonrpc ${shown(jsonrpc)}, not "2.0"`];
  if (owner && owner.method !== undefined && owner.id === undefined && !refused) {
    return ["answers-a-notification", "is a response, but a notification gets none"];
  }
  if (hasResult && hasError) return ["result-and-error", "has both a result and an error"];
  if (!hasResult && !hasError) return ["no-result-or-error", "has neither a result nor an error"];
  if (hasResult && !isObject(json["result"])) {
    return ["result-not-an-object", `has a result that is ${shown(json["result"])}`];
  }
  const error = hasError ? errorFault(json["error"]) : undefined;
  if (error !== undefined) return ["error-malformed", error];
  // An HTTP refusal may come before the server has read the request's id.
  if (refused && hasError && (id === undefined || id === null)) return undefined;
  const asked = context.asked(message);
  const request = asked.find((exchange) => exchange.id === id);
  if (!request) {
    const only =
      asked.length === 1 ? `the request has ${shown(asked[0]!.id)}` : "no request has it";
    return ["id-mismatch", `has id ${shown(id)}, but ${only}`];
  }
  // Beside the stream that clients read, some servers repeat the reply in the answer to its POST.
  if (isAside(message, owner)) return undefined;
  if (context.answered.has(request)) {
    return ["second-response", `answers id ${shown(id)} (${request.method}) a second time`];
  }
  context.answered.add(request);
  return undefined;
}

function errorFault(error: unknown): string | undefined {
  if (!isObject(error)) return `has an error that is ${shown(error)}`;
  const [code, text] = [own(error, "code"), own(error, "message")];
  if (!Number.isInteger(code)) return `has error code ${shown(code)}, which is no integer`;
  return typeof text === "string"
    ? undefined
    : `has error message ${shown(text)}, which is no string`;
}

/** Whether HTTP itself turned the request down; its pages need not be messages. */
function isRefusal(owner: Exchange | undefined): boolean {
  return (owner?.response?.status ?? 200) >= 300;
}

/**
 * Whether a message stands in the answer to a POST whose reply belongs on a stream. What else stands
 * there, such as "Accepted", is nobody's to read.
 */
function isAside({ channel }: Message, owner: Exchange | undefined): boolean {
  return owner !== undefined && !isRefusal(owner) && !owner.channels.has(channel);
}

/** What carried a message, as the beginning of a sentence. */
function carrierOf(message: Message, owner: Exchange | undefined): string {
  if (message.channel === "stdout") return "A line on stdout";
  if (owner?.purpose === "stream") return "An event of the stream";
  const what = message.sse ? "An event of the response" : "The response";
  return owner?.method === undefined ? what : `${what} to ${owner.method}`;
}
