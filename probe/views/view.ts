/** A view is a pure reading of a transcript, computed once for each transcript and never stored. */
import type { Event, EventOf, EventType, Transcript } from "../transcript/schema.ts";
import type { EventRef } from "../check.ts";

export function view<T>(read: (transcript: Transcript) => T): (transcript: Transcript) => T {
  const known = new WeakMap<Transcript, { value: T }>();
  return (transcript) => {
    let entry = known.get(transcript);
    if (!entry) known.set(transcript, (entry = { value: read(transcript) }));
    return entry.value;
  };
}

/** An event together with its index in the transcript. */
export type Indexed<E extends Event = Event> = E & { readonly ref: EventRef };

/** All events of one type, with their indices. */
export function eventsOf<T extends EventType>(
  events: readonly Event[],
  type: T,
): Indexed<EventOf<T>>[] {
  return events.flatMap((event, ref) =>
    event.type === type ? [{ ...(event as EventOf<T>), ref }] : [],
  );
}
