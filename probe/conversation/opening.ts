/**
 * Finds the era, legacy first: `initialize`, and `server/discover` only when that was refused.
 *
 * The specification lets clients try the newer era first. We do not, on purpose: some legacy servers
 * end at any request before `initialize`, and an unasked discovery would then kill what it measures.
 * The order never depends on an earlier run, so that every run can be repeated.
 */
import { type Era, limit, protocolVersions } from "../rules.ts";
import { errorOf, type Exchange, resultOf } from "../views/exchanges.ts";
import { endpointsIn } from "../views/event-stream.ts";
import { gateOf } from "../views/gates.ts";
import { type JsonObject, own } from "../views/json.ts";
import { newerVersionsIn } from "../views/newer-protocol.ts";
import type { Dialogue } from "./dialogue.ts";
import { initialize, stateful } from "./stateful.ts";
import { discover, stateless } from "./stateless.ts";
import { isOwnWord } from "./transports.ts";
import type { Wire } from "./wire.ts";

const UNSUPPORTED_VERSION = -32022; // 2026-07-28, "UnsupportedProtocolVersion"

/** How many further versions are offered to a server that refuses the newest. */
const LADDER_STEPS = 3;

export interface Opened {
  readonly era: Era;
  readonly wire: Wire;
  /** The result of the opening. */
  readonly result: JsonObject;
}

/** Opens the conversation; undefined when no era answered, and the record says what came instead. */
export async function open(
  dialogue: Dialogue,
  era: "auto" | "legacy" | "modern",
): Promise<Opened | undefined> {
  if (era === "modern") return openModern(dialogue);
  let last = await initialize(dialogue);
  for (const version of namedVersions(last)) {
    if (resultOf(last)) break;
    last = await initialize(dialogue, version);
  }
  const result = resultOf(last);
  if (result) return goOn({ era: "legacy", wire: stateful(dialogue, last), result });
  if (era === "legacy" || !isRefusal(last, dialogue)) return undefined;
  if (dialogue.transport.alive && last.end?.type !== "timed-out") return openModern(dialogue);
  // The process ended or stayed silent at `initialize`; a fresh one hears the other opening first.
  await dialogue.transport.close();
  if (!(await dialogue.transport.open())) return undefined;
  return openModern(dialogue, limit("discover-fresh-process"));
}

async function openModern(dialogue: Dialogue, ms?: number): Promise<Opened | undefined> {
  let last = await discover(dialogue, ms);
  const error = errorOf(last);
  // Some servers name our version among those they support and refuse all the same, once.
  if (error?.code === UNSUPPORTED_VERSION && namesModern(own(error.data, "supported"))) {
    last = await discover(dialogue, ms);
  }
  const result = resultOf(last);
  return result && goOn({ era: "modern", wire: stateless(dialogue), result });
}

/** A server that goes on with a version newer than ours is not asked in words that it did not offer. */
const goOn = (opened: Opened): Opened | undefined =>
  newerVersionsIn(opened.result) ? undefined : opened;

function namesModern(supported: unknown): boolean {
  const modern = protocolVersions.filter(({ era }) => era === "modern");
  return Array.isArray(supported) && modern.some(({ version }) => supported.includes(version));
}

/**
 * What is offered next to a server that refused a version: the published legacy ones that its refusal
 * names, newest first, then those older than the newest of them. None when it names none.
 */
function namedVersions(refusal: Exchange): string[] {
  const error = errorOf(refusal);
  const status = refusal.response?.status ?? 200;
  // A gate is no matter of versions, whatever dates its page holds.
  if (gateOf(refusal) || (!error && (status < 400 || status >= 500))) return [];
  // Read as it came: writing out what was parsed overflows the stack where it is nested very deep.
  const text = error ? refusal.reply!.message.text : refusal.bodyStart();
  const offered = own(refusal.params, "protocolVersion");
  const others = protocolVersions
    .filter(({ version, era }) => era === "legacy" && version !== offered)
    .map(({ version }) => version)
    .reverse();
  const named = others.filter((version) => text.includes(version));
  const older = others.filter((version) => !named.includes(version) && version < (named[0] ?? ""));
  return [...named, ...older].slice(0, LADDER_STEPS);
}

/**
 * Whether a failed `initialize` may mean "another era": an error, or an answer that is no MCP. Not a
 * gate, a redirect, a broken server or connection; asking those again would only repeat it.
 */
function isRefusal(exchange: Exchange, { transport }: Dialogue): boolean {
  // Another process would say too much as well, and nothing more is read.
  if (transport.kind === "stdio") return !gateOf(exchange) && exchange.end?.type !== "capped";
  // The newer era knows no HTTP+SSE, and a POST that opens its stream was no POST to ask again.
  if (transport.kind === "http-sse" || endpointsIn(exchange).length > 0) return false;
  return isOwnWord(exchange.response?.status ?? 0) && !gateOf(exchange) && isWhole(exchange);
}

/** The answer was read to its end, so it is the server's whole word. */
const isWhole = ({ reply, end }: Exchange) => reply !== undefined || end?.type === "ended";
