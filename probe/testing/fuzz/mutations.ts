/** Changes to a record: what networks, proxies, broken servers and tampering would make of it. */
import fc from "fast-check";
import { bytesOf, concat, textOf } from "../../transcript/body.ts";
import { type Event, type EventOf, Purpose, type Transcript } from "../../transcript/schema.ts";
import * as hostile from "./hostile.ts";

export interface Mutation {
  readonly kind: keyof typeof KINDS;
  /** Which event or value, and where in it: taken modulo what there is. */
  readonly which: number;
  readonly at: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly json: string;
  readonly header: [string, string];
  readonly status: number;
}

type Data = Uint8Array<ArrayBuffer>;

/** How the bytes of one event change. */
const inBytes =
  (change: (data: Data, mutation: Mutation) => Data) =>
  (events: Event[], mutation: Mutation): void => {
    const holders = events.filter((event) => event.type === "received" || event.type === "sent");
    // What the server sent is what matters; what we sent is changed now and then only.
    const received = holders.filter(({ type }) => type === "received");
    const pool = mutation.which % 10 === 0 || received.length === 0 ? holders : received;
    const event = pool[mutation.which % pool.length];
    if (event)
      events[events.indexOf(event)] = { ...event, data: change(event.data as Data, mutation) };
  };

/** How one event of a type changes. */
const inEvent =
  <T extends Event["type"]>(
    type: T,
    change: (event: EventOf<T>, mutation: Mutation) => EventOf<T>,
  ) =>
  (events: Event[], mutation: Mutation): void => {
    const all = events.filter((event): event is EventOf<T> => event.type === type);
    const event = all[mutation.which % all.length];
    if (event) events[events.indexOf(event)] = change(event, mutation);
  };

const KINDS = {
  truncate: inBytes((data, { at }) => data.slice(0, at % (data.length + 1))),
  flip: inBytes((data, { at }) => {
    const index = at % Math.max(data.length, 1);
    return data.map((byte, position) => (position === index ? byte ^ (1 << (at % 8)) : byte));
  }),
  cutOut: inBytes((data, { at, which }) => {
    const from = at % (data.length + 1);
    return concat([data.slice(0, from), data.slice(from + (which % 40))]);
  }),
  repeat: inBytes((data) => concat([data, data])),
  insert: inBytes((data, { at, bytes }) => {
    const from = at % (data.length + 1);
    return concat([data.slice(0, from), bytes, data.slice(from)]);
  }),
  /** One value of the JSON in it, small or large, becomes another. */
  value: inBytes((data, { at, json }) => bytesOf(hostile.replaceValue(textOf(data), at, json))),
  body: inBytes((_, { json }) => bytesOf(json)),
  drop: (events: Event[], { which }: Mutation) => void events.splice(which % events.length, 1),
  twice: (events: Event[], { which, at }: Mutation) => {
    const event = events[which % events.length];
    if (event) events.splice(at % (events.length + 1), 0, event);
  },
  move: (events: Event[], { which, at }: Mutation) => {
    const [event] = events.splice(which % events.length, 1);
    if (event) events.splice(at % (events.length + 1), 0, event);
  },
  backwards: (events: Event[], { which }: Mutation) => {
    events.push(...events.splice(which % events.length).toReversed());
  },
  status: inEvent("responded", (event, { status }) => ({ ...event, status })),
  header: inEvent("responded", (event, { header, at }) => {
    const others = event.headers.filter(([name]) => name.toLowerCase() !== header[0].toLowerCase());
    return {
      ...event,
      headers: at % 4 === 0 ? others : [header, ...(at % 2 ? others : event.headers)],
    };
  }),
  channel: inEvent("received", (event, { at }) => ({
    ...event,
    channel: (["stdout", "stderr", 1, 2, 3, 9] as const)[at % 6]!,
  })),
  exchange: inEvent("sent", (event, { at }) => ({ ...event, exchange: 1 + (at % 9) })),
  purpose: inEvent("sent", (event, { at }) => ({
    ...event,
    purpose: Purpose.options[at % Purpose.options.length]!,
  })),
  ending: (events: Event[], { which, at, status }: Mutation) => {
    const exchange = 1 + (which % 6);
    const fault = { code: "ECONNRESET", message: "read ECONNRESET" };
    const made: readonly Event[] = [
      { type: "broke", at: status, exchange, fault },
      { type: "timed-out", at: status, exchange, after: 10_000 },
      { type: "capped", at: status, channel: exchange, limit: 16 * 1024 * 1024 },
      { type: "capped", at: status, channel: "stdout", limit: 64 * 1024 * 1024 },
      { type: "ended", at: status, channel: exchange },
      { type: "ended", at: status, channel: "stdout" },
      { type: "closed", at: status },
      { type: "exited", at: status, code: 1, signal: null },
      { type: "exited", at: status, code: null, signal: "SIGSEGV" },
      { type: "stopping", at: status, by: "SIGKILL" },
      { type: "spawned", at: status, argv: ["node"], environment: [], fault },
      { type: "connected", at: status, connection: 2, address: "::1", port: 443, took: 1, fault },
      { type: "resolved", at: status, host: "mcp.example", addresses: [], fault },
      {
        type: "tls",
        at: status,
        connection: 1,
        host: "h",
        took: 1,
        protocol: null,
        chain: [],
        fault,
      },
    ];
    events.splice(at % (events.length + 1), 0, made[which % made.length]!);
  },
};

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom(...(Object.keys(KINDS) as Mutation["kind"][]), "value", "value", "value"),
  which: fc.nat(1000),
  at: fc.nat(100_000),
  bytes: hostile.bytes,
  json: hostile.anyJson,
  header: hostile.header,
  status: hostile.status,
});

/** The record with its changes made one after another; it still fits its schema. */
export function mutate(transcript: Transcript, mutations: readonly Mutation[]): Transcript {
  const events = [...transcript.events];
  for (const one of mutations) {
    if (events.length > 0) KINDS[one.kind](events, one);
  }
  return { ...transcript, events };
}
