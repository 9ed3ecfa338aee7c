/** Faults of the JSON-RPC envelope. */
import type { Case } from "./case.ts";
import { healthy, reply } from "./healthy.ts";

const ENVELOPE = { verdict: "degraded", checks: { "L1.envelope": "failed" } } as const;

const json = (body: string) => ({ headers: { "content-type": "application/json" }, body });

export const envelope: readonly Case[] = [
  {
    id: "E01",
    title: "A response whose id is not that of its request",
    source: "https://github.com/radareorg/radare2-mcp/issues/68",
    variants: {
      a: {
        what: "every reply over stdio has the id 0",
        server: {
          wire: "stdio",
          answer(ask) {
            const payload = healthy(ask);
            return payload && { raw: `${reply(0, payload)}\n` };
          },
        },
        expected: ENVELOPE,
      },
      b: {
        what: "a numeric id comes back as a text",
        server: {
          wire: "http",
          answer(ask) {
            const payload = healthy(ask);
            return payload && json(reply(String(ask.id), payload));
          },
        },
        expected: ENVELOPE,
      },
      c: {
        what: "an id that is a text comes back as 0",
        server: {
          wire: "http",
          answer(ask) {
            const payload = healthy(ask);
            return typeof ask.id === "string" && payload ? json(reply(0, payload)) : undefined;
          },
        },
        expected: ENVELOPE,
      },
      d: {
        what: "errors come back with the id null",
        server: {
          wire: "http",
          answer(ask) {
            const payload = healthy(ask);
            return payload && "error" in payload ? json(reply(null, payload)) : undefined;
          },
        },
        expected: ENVELOPE,
      },
    },
  },
  {
    id: "E03",
    title: "A body in answer to a notification",
    source: "https://github.com/pgEdge/pgedge-postgres-mcp/issues/142",
    variants: {
      a: {
        what: "a result without an id answers nothing that was asked",
        server: onInitialized(json(`{"jsonrpc":"2.0","result":{}}`)),
        expected: ENVELOPE,
      },
      b: {
        what: "nor does a message with the id null",
        server: onInitialized(json(`{"jsonrpc":"2.0","id":null}`)),
        expected: ENVELOPE,
      },
      c: {
        what: "a word in plain text is no message",
        server: onInitialized({
          status: 202,
          headers: { "content-type": "text/plain" },
          body: "Accepted",
        }),
        expected: { verdict: "alive" },
      },
      d: {
        what: "nothing at all, under 204, is fine",
        server: onInitialized({ status: 204 }),
        expected: { verdict: "alive" },
      },
      e: {
        what: "a response that never ends holds nothing up",
        server: onInitialized("hang"),
        expected: { verdict: "alive", facts: { notification: "hangs" } },
      },
    },
  },
];

function onInitialized(
  answer:
    | ReturnType<typeof json>
    | { status: number; headers?: Record<string, string>; body?: string }
    | "hang",
): Case["variants"][string]["server"] {
  return {
    wire: "http",
    answer: ({ method }) => (method === "notifications/initialized" ? answer : undefined),
  };
}
