/** What the probe says to a server, and in which order. */
import { limit } from "../rules.ts";
import type { RunKind } from "../transcript/schema.ts";
import type { ListName } from "../views/lists.ts";
import { isObject, own } from "../views/json.ts";
import type { Dialogue } from "./dialogue.ts";
import { walkList } from "./lists.ts";
import { open, type Opened } from "./opening.ts";

const LISTS: readonly ListName[] = ["tools", "resources", "prompts"];

/** Holds the whole conversation: opening, then in a full run the lists and the unknown method. */
export async function converse(
  dialogue: Dialogue,
  { kind, era }: { kind: RunKind; era: "auto" | "legacy" | "modern" },
): Promise<void> {
  const opened = await open(dialogue, era);
  if (!opened) return;
  if (kind !== "liveness") await runBattery(dialogue, opened);
  if (dialogue.transport.alive) await opened.wire.end();
}

/** Stops at the first gate: a server that asks for a login is not asked any further. */
async function runBattery(dialogue: Dialogue, { wire, result }: Opened): Promise<void> {
  await wire.ready();
  const declared = own(result, "capabilities");
  for (const name of LISTS) {
    if (!isObject(own(declared, name))) continue;
    if (!dialogue.transport.alive) return;
    const end = await walkList(wire, name);
    if (end.how === "gated") return;
  }
  if (!dialogue.transport.alive) return;
  await wire.request(
    { method: "probe/unknown-method", purpose: "unknown-method", id: "p-1" },
    limit("unknown-method"),
  );
}
