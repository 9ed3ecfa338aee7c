/**
 * Looks up how to log in, without any credential, once a server asked for one: the description of
 * the protected resource (RFC 9728), then that of its authorization server (RFC 8414 or OpenID
 * Connect Discovery). At most six small documents; nothing else is sent, and nobody is logged in.
 */
import type { Fetch } from "../transport/document.ts";
import { mayFetch } from "../transport/document.ts";
import type { Transcript } from "../transcript/schema.ts";
import { challengesOf } from "../views/challenges.ts";
import { type Exchange, exchanges } from "../views/exchanges.ts";
import { asksForLogin, gateOf, isUnexplained, meetsGates } from "../views/gates.ts";
import { loginMetadata } from "../views/login-metadata.ts";
import { opening } from "../views/opening.ts";

export interface LookUp {
  /** The record so far. */
  record(): Transcript;
  fetch: Fetch;
  /** Whether there is still time. */
  inTime(): boolean;
}

/** Looks up the login that a server asked for; nothing where it asked for none. */
export async function lookUpLogin(lookUp: LookUp): Promise<void> {
  const transcript = lookUp.record();
  const { target } = transcript;
  const gated = gateIn(transcript);
  if (target.kind !== "remote" || !gated) return;
  const url = new URL(target.url);
  const reached = await firstOf(resourcePlaces(gated, url), lookUp, ({ resource }) => resource);
  if (!reached) return;
  const { resource, servers } = loginMetadata(lookUp.record());
  const places = resource ? serverPlaces(servers[0]) : [wellKnown(SERVER, url.origin)];
  await firstOf(places, lookUp, ({ server }) => server);
}

/** The answer that asks for a login, or that only a login would explain. */
function gateIn(transcript: Transcript): Exchange | undefined {
  const { opened } = opening(transcript);
  return exchanges(transcript).find(
    (exchange) =>
      meetsGates(exchange) &&
      // Nor is a GET by custom what was asked, where a POST opened the door.
      !(opened && exchange.purpose === "stream") &&
      (asksForLogin(gateOf(exchange)) ||
        // A server that opened in the end had refused something else before.
        (isUnexplained(exchange) && !(opened && exchange.purpose === "opening"))),
  );
}

/**
 * Asks at each place until one holds what is looked for. False when a host cannot be reached or time
 * is up: then asking on would only cost more of it.
 */
async function firstOf(
  places: readonly (URL | undefined)[],
  { record, fetch, inTime }: LookUp,
  found: (metadata: ReturnType<typeof loginMetadata>) => unknown,
): Promise<boolean> {
  for (const place of places) {
    if (!place || !mayFetch(place)) continue;
    if (!inTime() || !(await fetch(place))) return false;
    if (found(loginMetadata(record()))) return true;
  }
  return true;
}

const RESOURCE = "oauth-protected-resource";
const SERVER = "oauth-authorization-server";
const OPENID = "openid-configuration";

/** Where the resource is described: where the challenge says, else at the two well-known places. */
function resourcePlaces(gated: Exchange, url: URL): (URL | undefined)[] {
  for (const { parameters } of challengesOf(gated)) {
    const named = parameters.get("resource_metadata");
    if (named !== undefined) return [parse(named, url)];
  }
  const path = pathOf(url);
  const below = path === "" ? [] : [wellKnown(RESOURCE, url.origin, path)];
  return [...below, wellKnown(RESOURCE, url.origin)];
}

/** Where an authorization server describes itself, in the order of the MCP specification. */
function serverPlaces(issuer: string | undefined): (URL | undefined)[] {
  const url = issuer === undefined ? undefined : parse(issuer);
  if (!url) return [];
  const [{ origin }, path] = [url, pathOf(url)];
  if (path === "") return [wellKnown(SERVER, origin), wellKnown(OPENID, origin)];
  return [
    wellKnown(SERVER, origin, path),
    wellKnown(OPENID, origin, path),
    parse(`${origin}${path}/.well-known/${OPENID}`),
  ];
}

/** RFC 8615: the well-known part stands between the host and the path. */
const wellKnown = (name: string, origin: string, path = ""): URL | undefined =>
  parse(`${origin}/.well-known/${name}${path}`);

const pathOf = ({ pathname }: URL): string => pathname.replace(/\/$/, "");

function parse(text: string, base?: URL): URL | undefined {
  const url = URL.parse(text, base?.href);
  if (url) url.hash = "";
  return url ?? undefined;
}
