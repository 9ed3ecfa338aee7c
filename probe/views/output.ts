/** What a process wrote before it ended without having answered. */
import type { EventRef } from "../check.ts";
import { limit } from "../rules.ts";
import type { Find } from "../rules.ts";
import { concat, textOf } from "../transcript/body.ts";
import type { Transcript } from "../transcript/schema.ts";
import type { Exchange } from "./exchanges.ts";
import { exitAround } from "./no-reply.ts";
import { eventsOf, view } from "./view.ts";

/** Words of an ended process, and the events that show them and the end. */
export interface LastWords {
  readonly said: string;
  readonly evidence: readonly [EventRef, ...EventRef[]];
}

/** What the process that ended at an exchange said by one of the lists; undefined when nothing. */
export function lastWords(
  transcript: Transcript,
  exchange: Exchange,
  find: Find,
): LastWords | undefined {
  const exited = exitAround(transcript, exchange);
  if (!exited) return undefined;
  const start = starts(transcript).findLast((ref) => ref < exchange.sent.ref) ?? -1;
  const parts = eventsOf(transcript.events, "received").filter(
    ({ ref }) => ref > start && ref < exited.ref,
  );
  for (const channel of ["stderr", "stdout"] as const) {
    const own = parts.filter((part) => part.channel === channel);
    const said = find(ends(concat(own.map(({ data }) => data))));
    if (said === undefined) continue;
    const where = own.find(({ data }) => textOf(data).includes(said)) ?? own.at(-1)!;
    return { said, evidence: [where.ref, exited.ref] };
  }
  return undefined;
}

const starts = view((transcript) => eventsOf(transcript.events, "spawned").map(({ ref }) => ref));

/** The first and the last of an output that is longer than we read for words. */
function ends(bytes: Uint8Array): string {
  const half = limit("output-words") / 2;
  if (bytes.length <= 2 * half) return textOf(bytes);
  return `${textOf(bytes.subarray(0, half))}\n${textOf(bytes.subarray(-half))}`;
}
