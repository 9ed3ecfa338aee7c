/**
 * Which transport a remote is asked over, and when the other one is tried. It never depends on an
 * earlier run.
 */
import type { Target, Transcript } from "../transcript/schema.ts";
import { endpointsIn } from "../views/event-stream.ts";
import { errorOf, type Exchange, exchanges } from "../views/exchanges.ts";
import { gateOf } from "../views/gates.ts";
import { opening } from "../views/opening.ts";

export type RemoteTransport = Extract<Target, { kind: "remote" }>["transport"];

/** The transports to try, in this order. */
export function transportsFor(
  target: Extract<Target, { kind: "remote" }>,
  era: Transcript["era"],
  wanted: "auto" | RemoteTransport = "auto",
): readonly [RemoteTransport, RemoteTransport?] {
  if (wanted !== "auto") return [wanted];
  // Version 2026-07-28 knows no HTTP+SSE.
  if (era === "modern") return ["streamable-http"];
  const path = new URL(target.url).pathname;
  // By custom the older transport is served at /sse, also where a listing names the newer one.
  const older = target.transport === "sse" || /\/sse\/?$/.test(path);
  return older ? ["sse", "streamable-http"] : ["streamable-http", "sse"];
}

/**
 * Whether what was said over the first transport may mean that the server speaks the other one. Not
 * when it asked for a login, a payment or patience, when it failed or the connection did: asking
 * again would only repeat that.
 */
export function mayTryOther(transcript: Transcript): boolean {
  if (opening(transcript).opened) return false;
  const tries = exchanges(transcript).filter(({ purpose }) => OPENS.has(purpose));
  const [first] = tries;
  if (!first) return false;
  const { target } = transcript;
  // Custom alone made us begin with the GET: what it met says nothing of the transport that is listed.
  if (first.purpose === "stream" && target.kind === "remote" && target.transport !== "sse") {
    return endpointsIn(first).length === 0;
  }
  if (tries.some((exchange) => gateOf(exchange) !== undefined)) return false;
  return first.purpose === "stream" ? isNoStream(first) : isNoReply(first);
}

const OPENS: ReadonlySet<string> = new Set(["opening", "stream"]);

/** The GET brought something else than a stream with an endpoint. */
function isNoStream(get: Exchange): boolean {
  const status = get.response?.status;
  if (status === undefined || endpointsIn(get).length > 0 || get.end?.type === "broke")
    return false;
  return isOwnWord(status);
}

/** The POST brought no message at all, or one with such a status, or what a GET should have brought. */
function isNoReply(post: Exchange): boolean {
  const status = post.response?.status;
  if (endpointsIn(post).length > 0) return true;
  if (status === undefined) return false;
  if (post.reply) return NO_POST.has(status) && errorOf(post) !== undefined;
  return post.end?.type === "ended" && isOwnWord(status);
}

/** What may say that nothing is POSTed there, also when an error message says so too. */
const NO_POST: ReadonlySet<number> = new Set([400, 404, 405, 406, 415]);

/** Whether a status says that the server itself gave an answer: not a redirect, not a failure. */
export const isOwnWord = (status: number): boolean =>
  (status >= 200 && status < 300) || (status >= 400 && status < 500);
