/** What the probe says to a server, and in which order. */
import { limit } from "../rules.ts";
import type { RunKind, Transcript } from "../transcript/schema.ts";
import { gateOf } from "../views/gates.ts";
import type { ListName } from "../views/lists.ts";
import { isObject, own } from "../views/json.ts";
import type { Dialogue } from "./dialogue.ts";
import { walkList } from "./lists.ts";
import { open, type Opened } from "./opening.ts";
import { discoverOtherEra } from "./stateless.ts";

const LISTS: readonly ListName[] = ["tools", "resources", "prompts"];

export interface ConversationOptions {
  readonly kind: RunKind;
  readonly era: Transcript["era"];
  readonly call?: Call | undefined;
}

/** A call of a tool that does no harm, for which whoever asks for it vouches. */
export interface Call {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/**
 * Holds the whole conversation: opening, then in a full run the lists, the unknown method and the
 * call. What no check reads comes after the goodbye, where it can neither disturb nor delay the rest.
 */
export async function converse(dialogue: Dialogue, options: ConversationOptions): Promise<void> {
  const { kind, era, call } = options;
  const opened = await open(dialogue, era);
  if (opened) {
    const whole = kind !== "liveness" && (await runBattery(dialogue, opened, call));
    if (dialogue.transport.alive) await opened.wire.end();
    // A pipe is bound to the era of its first message, and an author who named one wants no other.
    const cold = whole && era === "auto" && opened.era === "legacy";
    if (cold && dialogue.transport.kind === "streamable-http" && dialogue.transport.alive) {
      await discoverOtherEra(dialogue);
    }
  }
}

/**
 * Asks for everything that was declared; false when it did not get through. Stops at the first gate:
 * a server that asks for a login is not asked any further.
 */
async function runBattery(
  dialogue: Dialogue,
  { wire, result }: Opened,
  call: Call | undefined,
): Promise<boolean> {
  await wire.ready();
  const declared = own(result, "capabilities");
  for (const name of LISTS) {
    if (!isObject(own(declared, name))) continue;
    if (!dialogue.transport.alive) return false;
    const end = await walkList(wire, name);
    if (end.how === "gated") return false;
  }
  if (!dialogue.transport.alive) return false;
  const last = await wire.request(
    { method: "probe/unknown-method", purpose: "unknown-method", id: "p-1" },
    limit("unknown-method"),
  );
  if (gateOf(last)) return false;
  if (!call) return true;
  if (!dialogue.transport.alive) return false;
  const params = { name: call.name, arguments: call.arguments };
  return !gateOf(
    await wire.request({ method: "tools/call", purpose: "call", params }, limit("call")),
  );
}
