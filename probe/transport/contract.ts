/** The contract of a transport. The test of every implementation runs this one suite. */
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../clock.ts";
import { limit } from "../rules.ts";
import { type Behaviour, BINARY_PIECES } from "../testing/servers/behaviour.ts";
import { concat, textOf } from "../transcript/body.ts";
import { Recorder } from "../transcript/recorder.ts";
import type { Event, EventOf, EventType } from "../transcript/schema.ts";
import type { Outgoing, Transport } from "./transport.ts";

export interface Subject {
  readonly transport: Transport;
  /** How many connections or processes of the server are still there. */
  remains(): Promise<number>;
  /** The text of a message as its wire frames it; by default as it is, but for blanks around it. */
  readonly framed?: (text: string) => string;
}

/** Makes a transport that talks to a server with some behaviour, or to nothing. */
export type MakeSubject = (behaviour: Behaviour | "absent", recorder: Recorder) => Promise<Subject>;

const MESSAGE: Outgoing = { purpose: "list", body: '{"id":1}', headers: {} };

export function testTransport(name: string, make: MakeSubject): void {
  async function start(behaviour: Behaviour | "absent") {
    const recorder = new Recorder(
      {
        probe: { name: "probity", version: "0.0.0" },
        listing: null,
        target: { kind: "command", key: "x", argv: ["x"], environment: {}, missing: [] },
        kind: "full",
        era: "auto",
        attempt: 1,
      },
      systemClock,
    );
    const { transport, remains, framed = (text) => text } = await make(behaviour, recorder);
    onTestFinished(() => transport.close());
    return { transport, remains, framed, recorder, happened: watch(recorder) };
  }

  describe(`${name} keeps the contract of a transport`, () => {
    test("what was sent and what came back is on record, byte for byte", async () => {
      const { transport, recorder, framed, happened } = await start("echo");
      expect(await transport.open()).toBe(true);
      const exchange = transport.send(MESSAGE);
      await happened(() => received(recorder).length > 0);
      const sent = sentOf(recorder);
      expect(sent).toMatchObject({ exchange, purpose: "list" });
      expect(textOf(sent!.data).trim()).toBe('{"id":1}');
      expect(textOf(received(recorder)).trim()).toBe(framed('{"echo":{"id":1}}').trim());
    });

    test("bytes that are no text survive", async () => {
      const { transport, recorder, happened } = await start("binary");
      await transport.open();
      transport.send(MESSAGE);
      const expected = concat(BINARY_PIECES);
      await happened(() => received(recorder).length >= expected.length);
      expect([...received(recorder).subarray(0, expected.length)]).toEqual([...expected]);
    });

    test("replies arrive on the channel that the sent event names", async () => {
      const { transport, recorder, happened } = await start("echo");
      await transport.open();
      transport.send(MESSAGE);
      await happened(() => received(recorder).length > 0);
      const [came] = receivedEvents(recorder);
      expect(came!.channel).toBe(sentOf(recorder)!.replies);
    });

    test("a target that is not there is data, not an error", async () => {
      const { transport, recorder } = await start("absent");
      expect(await transport.open()).toBe(false);
      const last = recorder.events.at(-1)!;
      expect(last).toHaveProperty("fault.code");
    });

    test("a server that breaks off ends the exchange on record", async () => {
      const { transport, happened } = await start("breaks");
      await transport.open();
      transport.send(MESSAGE);
      await happened((event) => event.type === "broke" || event.type === "exited");
    });

    test("reading stops at the size limit of a message", async () => {
      const { transport, recorder, happened } = await start("flood");
      await transport.open();
      transport.send(MESSAGE);
      await happened((event) => event.type === "capped");
      await transport.close();
      expect(received(recorder).length).toBeGreaterThan(limit("message"));
      expect(received(recorder).length).toBeLessThan(limit("message") + 1024 * 1024);
    });

    test("nothing is left after close, which may be called twice", async () => {
      const { transport, remains } = await start("silent");
      await transport.open();
      transport.send(MESSAGE);
      await transport.close();
      await transport.close();
      expect(transport.alive).toBe(false);
      await expect.poll(remains).toBe(0);
    });

    test("after close nothing is written down any more", async () => {
      const { transport, recorder } = await start("echo");
      await transport.open();
      transport.send(MESSAGE);
      await transport.close();
      const count = recorder.events.length;
      await new Promise((resolve) => setImmediate(resolve));
      expect(recorder.events).toHaveLength(count);
    });
  });
}

/** When the message left; a transport may have sent something of its own before. */
function sentOf(recorder: Recorder) {
  return recorder.events.find(
    (event) => event.type === "sent" && event.purpose === MESSAGE.purpose,
  ) as EventOf<"sent"> | undefined;
}

/** What came since the message left, over all channels but stderr. */
function receivedEvents(recorder: Recorder): EventOf<"received">[] {
  const sent = sentOf(recorder);
  const since = sent ? recorder.events.slice(recorder.events.indexOf(sent)) : [];
  return since.filter((event) => event.type === "received" && event.channel !== "stderr") as never;
}

function received(recorder: Recorder): Uint8Array {
  return concat(receivedEvents(recorder).map(({ data }) => data));
}

/** Resolves with the first event, past or future, that satisfies a condition. */
function watch(recorder: Recorder) {
  const waiting = new Set<(event: Event) => void>();
  recorder.listen((event) => waiting.forEach((look) => look(event)));
  return (condition: (event: Event) => boolean): Promise<{ type: EventType }> =>
    new Promise((resolve) => {
      const look = (event: Event): void => {
        if (!condition(event)) return;
        waiting.delete(look);
        resolve(event);
      };
      waiting.add(look);
      for (const event of recorder.events) look(event);
    });
}
