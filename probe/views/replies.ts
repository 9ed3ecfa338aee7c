/**
 * Which answer belongs to which request.
 *
 * The reading is tolerant on purpose: a reply with a wrong id or a broken envelope still shows what
 * the server meant, so the other checks can be measured. What is wrong with the envelope is charged
 * once, by `L1.envelope`.
 */
import type { EventRef } from "../check.ts";
import { isObject, isShortId, type JsonObject, own } from "./json.ts";
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

/** What a message says about whom it answers: enough to match it without keeping it. */
export interface Claim {
  /** Its place in the batch; undefined for a message by itself. */
  readonly at: number | undefined;
  /** Null for what no request of ours has. */
  readonly id: string | number | null;
  /** Says that it is JSON-RPC 2.0. */
  readonly versioned: boolean;
  /** Has no member but those of a response. */
  readonly bare: boolean;
}

const MEMBERS = new Set(["jsonrpc", "id", "result", "error"]);

/** The claims of a message, or of the members of a batch. */
export function claimsOf(json: unknown): readonly Claim[] {
  if (!Array.isArray(json)) return claimOf(json, undefined);
  return json.flatMap((member: unknown, at) => claimOf(member, at));
}

function claimOf(json: unknown, at: number | undefined): readonly Claim[] {
  if (!isObject(json) || Object.hasOwn(json, "method")) return [];
  if (!Object.hasOwn(json, "result") && !Object.hasOwn(json, "error")) return [];
  const id = own(json, "id");
  const versioned = json["jsonrpc"] === "2.0";
  const bare = Object.keys(json).every((key) => MEMBERS.has(key));
  return versioned || bare ? [{ at, id: isShortId(id) ? id : null, versioned, bare }] : [];
}

class ReadReply implements Reply {
  readonly message: Message;
  readonly exact: boolean;
  readonly #at: number | undefined;

  constructor(message: Message, exact: boolean, at: number | undefined) {
    this.message = message;
    this.exact = exact;
    this.#at = at;
  }

  get ref(): EventRef {
    return this.message.ref;
  }

  get json(): JsonObject {
    const { json } = this.message;
    return (this.#at === undefined ? json : (json as unknown[])[this.#at]) as JsonObject;
  }
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
  const faulty: { readonly message: Message; readonly claim: Claim }[] = [];
  for (const message of since) {
    for (const claim of message.claims) {
      if (claim.versioned && claim.id === id) return new ReadReply(message, true, claim.at);
      if (claim.bare) faulty.push({ message, claim });
    }
  }
  if (faulty.length === 0) return undefined;
  const unpaid = new Set(owed());
  const candidates = faulty.filter(
    ({ message, claim }) => message.ref < alone && !unpaid.delete(claim.id),
  );
  const [only] = candidates;
  return only && candidates.length === 1
    ? new ReadReply(only.message, false, only.claim.at)
    : undefined;
}
