/** A view is a pure reading of a transcript, computed once for each transcript and never stored. */
import type { Event, EventOf, EventType, Transcript } from "../transcript/schema.ts";
import type { EventRef } from "../check.ts";

/**
 * What was read of the transcript that is being judged. One at a time: what a view holds can be
 * many times the size of what was received, and a run has thousands of transcripts.
 */
let known = new WeakMap<Transcript, Map<unknown, unknown>>();

export function view<T>(read: (transcript: Transcript) => T): (transcript: Transcript) => T {
  return (transcript) => {
    let values = known.get(transcript);
    if (!values) known = new WeakMap([[transcript, (values = new Map())]]);
    if (values.has(read)) return values.get(read) as T;
    const value = read(transcript);
    values.set(read, value);
    return value;
  };
}

/** An event together with its index in the transcript. */
export type Indexed<E extends Event = Event> = E & { readonly ref: EventRef };

const indexed = new WeakMap<Event, Indexed>();

/** An event with its index; the same object each time, and bytes are not read before they are asked for. */
export function withRef<E extends Event>(event: E, ref: EventRef): Indexed<E> {
  const before = indexed.get(event);
  if (before?.ref === ref) return before as Indexed<E>;
  const one = (
    isLazy(event)
      ? Object.defineProperties({ ref }, Object.getOwnPropertyDescriptors(event))
      : { ...event, ref }
  ) as Indexed<E>;
  indexed.set(event, one);
  return one;
}

/** Whether the bytes of an event are read only when they are asked for. */
function isLazy(event: Event): boolean {
  return "data" in event && Object.getOwnPropertyDescriptor(event, "data")?.get !== undefined;
}

/** All events of one type, with their indices. */
export function eventsOf<T extends EventType>(
  events: readonly Event[],
  type: T,
): Indexed<EventOf<T>>[] {
  return events.flatMap((event, ref) =>
    event.type === type ? [withRef(event as EventOf<T>, ref)] : [],
  );
}
