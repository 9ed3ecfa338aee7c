/**
 * How bytes travel. A transport sends what it is given and tells the recorder everything that
 * happens; it reads no message and judges nothing. One contract suite (`contract.ts`) holds for all.
 */
import type { Purpose } from "../transcript/schema.ts";

export interface Outgoing {
  readonly purpose: Purpose;
  /** JSON text of one message; empty for an HTTP request without a body. */
  readonly body: string;
  /** Default `POST`. A pipe knows no methods: it ignores a message without a body. */
  readonly method?: "POST" | "GET" | "DELETE";
  /** HTTP headers of the protocol; a pipe has none. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exchange that this goes on with: a repetition, or a stream that is resumed. */
  readonly continues?: number;
}

export interface Transport {
  readonly kind: "streamable-http" | "http-sse" | "stdio";
  /** Connects, or starts the process. True when messages can be sent; otherwise the record says why. */
  open(): Promise<boolean>;
  /** Sends one message and goes on listening; returns the number of its exchange at once. */
  send(outgoing: Outgoing): number;
  /**
   * Whether an exchange that ended is being carried on: a redirect is followed, or the message leaves
   * once more. Absent where a transport never does so.
   */
  carriesOn?(exchange: number): boolean;
  /** Stops listening to an exchange whose answer is known or was waited for long enough. */
  release(exchange: number): void;
  /** Ends everything and leaves nothing behind: no socket, no process. Safe to call twice. */
  close(): Promise<void>;
  /** Whether there is still something to talk to. */
  readonly alive: boolean;
}
