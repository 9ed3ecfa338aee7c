/**
 * Which answer belongs to which request.
 *
 * The reading is tolerant on purpose: a reply with a wrong id or a broken envelope still shows what
 * the server meant, so the other checks can be measured. What is wrong with the envelope is charged
 * once, by `L1.envelope`.
 */
import type { EventRef } from "../check.ts";
import { isObject, type JsonObject, own } from "./json.ts";
import type { Message } from "./messages.ts";

/** What came back as the answer to a request. */
export interface Reply {
  readonly message: Message;
  /** The response object itself. */
  readonly json: JsonObject;
  /** False when it was tied to the request although its envelope is faulty. */
  readonly exact: boolean;
  readonly ref: EventRef;
}

/** The members of a batch, or the message itself. */
function members(message: Message): readonly unknown[] {
  return message.shape === "batch" ? (message.json as unknown[]) : [message.json];
}

function asReply(message: Message, json: unknown, id: unknown): Reply | undefined {
  if (!isObject(json) || Object.hasOwn(json, "method")) return undefined;
  if (!Object.hasOwn(json, "result") && !Object.hasOwn(json, "error")) return undefined;
  const exact = json["jsonrpc"] === "2.0" && own(json, "id") === id;
  const bare = Object.keys(json).every((key) => ["jsonrpc", "id", "result", "error"].includes(key));
  return exact || bare ? { message, json, exact, ref: message.ref } : undefined;
}

/**
 * The answer to a request among the messages that came since: the first exact match, else the only
 * one with a faulty envelope while the request was alone in flight (before event `alone`). `owed`
 * are ids of earlier requests that we gave up on: the first answer with such an id is theirs.
 */
export function matchReply(
  id: string | number | undefined,
  since: readonly Message[],
  alone: EventRef = Infinity,
  owed: () => ReadonlySet<unknown> = () => new Set(),
): Reply | undefined {
  if (id === undefined) return undefined;
  const replies = since.flatMap((message) =>
    members(message).flatMap((json) => asReply(message, json, id) ?? []),
  );
  const right = replies.find(({ exact }) => exact);
  if (right || replies.length === 0) return right;
  const unpaid = new Set(owed());
  const candidates = replies.filter(
    ({ ref, json }) => ref < alone && !unpaid.delete(own(json, "id")),
  );
  return candidates.length === 1 ? candidates[0] : undefined;
}
