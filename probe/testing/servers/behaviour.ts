/**
 * What the two contract servers do with each message they are sent, over HTTP or over stdio. They
 * know nothing of MCP: transports carry bytes.
 */
export type Behaviour =
  /** Answers `{"echo": <the message>}`. */
  | "echo"
  /** Answers with bytes that no text encoding would survive. */
  | "binary"
  /** Takes the message and says nothing. */
  | "silent"
  /** Breaks off: destroys the connection, or ends the process. */
  | "breaks"
  /** Sends one message that never ends, as fast as it is read. */
  | "flood";

/** Bytes 0 to 255 but the line feed, in pieces that cut a character in two. */
export const BINARY_PIECES: readonly Uint8Array[] = [
  Uint8Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => byte !== 0x0a),
  Uint8Array.from([0xe2, 0x82]),
  Uint8Array.from([0xac]),
];
