/**
 * What one attempt at one target looks like on record: every event, in the order it happened.
 *
 * Nothing here is interpreted. Which bytes form a message, which message answers which request and
 * what that means for the server is read later, by the views and the checks. A field that would need
 * such a reading does not belong in this file.
 */
import { z } from "zod";
import { Body } from "./body.ts";

export const TRANSCRIPT_FORMAT = "probity-transcript/1";

/** Milliseconds since the attempt began. */
const Ms = z.int().nonnegative();
/** Number of an exchange: one request of ours and whatever belongs to it. Counts from 1. */
const ExchangeNumber = z.int().positive();
/** Names and values as sent; a value that `rules/headers.json` does not list is kept as `sha256:` and 8 hex digits. */
const Headers = z.array(z.tuple([z.string(), z.string()]));
/**
 * Machine code as the platform names it (`ECONNREFUSED`, `ENOTFOUND`), and its words. Our own codes
 * begin with `REDIRECT_`: why a redirect was not followed.
 */
export const Fault = z.strictObject({ code: z.string(), message: z.string() });

const Address = z.strictObject({
  address: z.string(),
  family: z.union([z.literal(4), z.literal(6)]),
  /** False when the address guard refused it: loopback, private, link-local, metadata and the like. */
  allowed: z.boolean(),
});

const Certificate = z.strictObject({
  subject: z.string(),
  issuer: z.string(),
  validFrom: z.iso.datetime(),
  validTo: z.iso.datetime(),
  /** SHA-256 of the DER form, hex with colons. */
  fingerprint: z.string(),
});

/** Why the probe sent something. A view never has to guess which request was which. */
export const Purpose = z.enum([
  /** `initialize` or `server/discover`; the last one with a result opened the conversation. */
  "opening",
  /** The GET of HTTP+SSE: its body is the stream that carries the replies to everything else. */
  "stream",
  "initialized",
  /** `initialize` once more, after the server lost our session. */
  "reopening",
  "list",
  "unknown-method",
  "call",
  "bad-input",
  /** Our answer to a request of the server's. */
  "answer",
  /** Reading on in a stream that broke off. */
  "resume",
  /** The cold `server/discover` that looks for a second era. */
  "other-era",
  "auth-metadata",
  /** `DELETE` of the session. */
  "goodbye",
]);
export type Purpose = z.infer<typeof Purpose>;

/** Where received bytes came from: the response body of an exchange, or a pipe of the process. */
const Channel = z.union([ExchangeNumber, z.literal("stdout"), z.literal("stderr")]);
export type Channel = z.infer<typeof Channel>;

export const Event = z.discriminatedUnion("type", [
  /** A name was looked up. `fault` when it was not found. */
  z.strictObject({
    type: z.literal("resolved"),
    at: Ms,
    host: z.string(),
    addresses: z.array(Address),
    fault: Fault.optional(),
  }),
  /** A TCP connection opened, or did not. `connection` counts from 1. */
  z.strictObject({
    type: z.literal("connected"),
    at: Ms,
    connection: z.int().positive(),
    address: z.string(),
    port: z.int(),
    /** How long it took, in milliseconds. */
    took: Ms,
    fault: Fault.optional(),
  }),
  /** A TLS handshake ended. `fault` holds why the certificate is not trusted, or why there is none. */
  z.strictObject({
    type: z.literal("tls"),
    at: Ms,
    connection: z.int().positive(),
    host: z.string(),
    took: Ms,
    protocol: z.string().nullable(),
    /** Leaf first, as presented. */
    chain: z.array(Certificate),
    fault: Fault.optional(),
  }),
  /** A process was started, or could not be. Names of environment variables, never their values. */
  z.strictObject({
    type: z.literal("spawned"),
    at: Ms,
    argv: z.array(z.string()).min(1),
    environment: z.array(z.string()),
    fault: Fault.optional(),
  }),
  /** One message of ours left. `method`, `url` and `headers` are those of HTTP. */
  z.strictObject({
    type: z.literal("sent"),
    at: Ms,
    exchange: ExchangeNumber,
    purpose: Purpose,
    /**
     * The exchange that this one goes on with: it follows a redirect, repeats the message on another
     * connection or after a pause, or resumes the stream.
     */
    continues: ExchangeNumber.optional(),
    /** Where its transport delivers the reply: the own response body, a shared stream, the pipe. */
    replies: Channel,
    http: z.strictObject({ method: z.string(), url: z.string(), headers: Headers }).optional(),
    data: Body,
  }),
  /** The head of an HTTP response. */
  z.strictObject({
    type: z.literal("responded"),
    at: Ms,
    exchange: ExchangeNumber,
    status: z.int(),
    headers: Headers,
  }),
  /**
   * Bytes came, cut wherever the network or the pipe cut them. Behind the first 1,000 chunks of an
   * attempt, those of one channel that came within 250 ms, with nothing but other bytes between, are
   * one event of 64 KiB at the most, and `at` is when its first byte came. (`exact-chunks`,
   * `chunk-resolution` and `chunk` in `rules/limits.json`.)
   */
  z.strictObject({ type: z.literal("received"), at: Ms, channel: Channel, data: Body }),
  /** What the bytes received before hold, for a body that came in a Content-Encoding. */
  z.strictObject({ type: z.literal("decoded"), at: Ms, channel: Channel, data: Body }),
  /** The peer ended a body or a pipe in good order. */
  z.strictObject({ type: z.literal("ended"), at: Ms, channel: Channel }),
  /** The exchange broke: reset, refused, protocol error of HTTP itself, closed pipe. */
  z.strictObject({ type: z.literal("broke"), at: Ms, exchange: ExchangeNumber, fault: Fault }),
  /** We stopped waiting: the deadline of the exchange passed. `after` is that deadline, counted from `sent`. */
  z.strictObject({
    type: z.literal("timed-out"),
    at: Ms,
    exchange: ExchangeNumber,
    after: Ms,
  }),
  /** We stopped reading at a limit: of bytes, or where `of` says so, of what they say. */
  z.strictObject({
    type: z.literal("capped"),
    at: Ms,
    channel: Channel,
    limit: z.int(),
    of: z.enum(["messages", "values"]).optional(),
  }),
  /** We closed our side: of one exchange, or (without one) of everything. */
  z.strictObject({
    type: z.literal("closed"),
    at: Ms,
    exchange: ExchangeNumber.optional(),
  }),
  /** A step of stopping the process: end of its stdin, then signals. */
  z.strictObject({
    type: z.literal("stopping"),
    at: Ms,
    by: z.enum(["stdin", "SIGTERM", "SIGKILL"]),
  }),
  /** The process ended. */
  z.strictObject({
    type: z.literal("exited"),
    at: Ms,
    code: z.int().nullable(),
    signal: z.string().nullable(),
  }),
]);
export type Event = z.infer<typeof Event>;
export type EventType = Event["type"];
/** The event of one type. */
export type EventOf<T extends EventType> = Extract<Event, { type: T }>;

/** One way to reach a listing. `key` names it for ever; the version probed is an attribute. */
export const Target = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("remote"),
    key: z.string(),
    /** An address of the web, unless something is missing: a hole can stand for any part of it. */
    url: z.string(),
    transport: z.enum(["streamable-http", "sse"]),
    /** Names of required headers and URL variables that nothing fills. */
    missing: z.array(z.string()),
  }),
  z.strictObject({
    kind: z.literal("package"),
    key: z.string(),
    registry: z.enum(["npm", "pypi", "oci", "mcpb"]),
    identifier: z.string(),
    version: z.string(),
    arguments: z.array(z.string()),
    /** Values the listing sets. */
    environment: z.record(z.string(), z.string()),
    /** Names of required environment variables that nothing fills. */
    missing: z.array(z.string()),
  }),
  /** A command line of an author's own machine; never in a directory. */
  z.strictObject({
    kind: z.literal("command"),
    key: z.string(),
    argv: z.array(z.string()).min(1),
    environment: z.record(z.string(), z.string()),
    missing: z.array(z.string()),
  }),
]);
export type Target = z.infer<typeof Target>;

/** `full` is L0 to L2, `liveness` L0 alone, `rerun` a full run that a dispute asked for. */
export const RunKind = z.enum(["full", "liveness", "rerun"]);
export type RunKind = z.infer<typeof RunKind>;

export const Transcript = z.strictObject({
  format: z.literal(TRANSCRIPT_FORMAT),
  /** The program that made the record. */
  probe: z.strictObject({ name: z.string(), version: z.string() }),
  /** `namespace/name`, or null for a target that no directory lists. */
  listing: z.string().nullable(),
  target: Target,
  kind: RunKind,
  /** Which era the probe was told to try; `auto` is the normal case. */
  era: z.enum(["auto", "legacy", "modern"]),
  /** 1, 2 or 3. */
  attempt: z.int().positive(),
  startedAt: z.iso.datetime({ precision: 3 }),
  events: z.array(Event),
});
export type Transcript = z.infer<typeof Transcript>;
