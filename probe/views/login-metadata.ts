/**
 * How to log in, as a server's host publishes it: the document about the protected resource (RFC
 * 9728) and the one about its authorization server (RFC 8414, OpenID Connect Discovery), among what
 * the probe looked up after it met a gate.
 */
import type { EventRef } from "../check.ts";
import { type Exchange, exchanges } from "./exchanges.ts";
import { isFilled, isObject, type JsonObject, own } from "./json.ts";
import { view } from "./view.ts";

export interface LoginMetadata {
  /** Whether anything was looked up. */
  readonly asked: boolean;
  /** The document about the protected resource. */
  readonly resource: Document | undefined;
  /** The authorization servers that it names, in order. */
  readonly servers: readonly string[];
  /** The document about the first of them; without any, the one of the host itself. */
  readonly server: Document | undefined;
  /** Whether the host publishes a login for the very address that was probed. */
  readonly covers: boolean;
}

interface Document {
  readonly url: string;
  readonly json: JsonObject;
  readonly ref: EventRef;
}

export const loginMetadata = view((transcript): LoginMetadata => {
  const lookups = exchanges(transcript).filter(({ purpose }) => purpose === "auth-metadata");
  const documents = lookups.flatMap((exchange) => documentOf(exchange) ?? []);
  const resource = documents.find(({ json }) => isFilled(own(json, "resource")));
  const servers = serversOf(resource?.json);
  const server = documents.find(
    (document) =>
      document !== resource &&
      isServer(document.json) &&
      (!resource || isSameIssuer(own(document.json, "issuer"), servers[0])),
  );
  const { target } = transcript;
  const about = own(resource?.json, "resource");
  const covers =
    target.kind === "remote" &&
    servers.length > 0 &&
    typeof about === "string" &&
    isWithin(target.url, about);
  return { asked: lookups.length > 0, resource, servers, server, covers };
});

function documentOf({ response, messages, sent }: Exchange): Document | undefined {
  if (response?.status !== 200) return undefined;
  const [body] = messages;
  return body && isObject(body.json)
    ? { url: sent.http?.url ?? "", json: body.json, ref: body.ref }
    : undefined;
}

function serversOf(resource: unknown): readonly string[] {
  const servers = own(resource, "authorization_servers");
  return Array.isArray(servers) ? (servers as unknown[]).filter(isFilled) : [];
}

/** What RFC 8414 requires of a server that people log in to. */
function isServer(json: JsonObject): boolean {
  return ["issuer", "authorization_endpoint", "token_endpoint"].every((member) =>
    isFilled(own(json, member)),
  );
}

/** Issuers compare as texts (RFC 8414, section 3.3); many differ in a slash at the end alone. */
function isSameIssuer(issuer: unknown, named: string | undefined): boolean {
  return isFilled(issuer) && named !== undefined && bare(issuer) === bare(named);
}

/** Whether an address is the resource or lies below it: documents of a whole host name its root. */
export function isWithin(url: string, resource: string): boolean {
  const [inner, outer] = [plain(url), plain(resource)];
  return inner === outer || inner.startsWith(`${outer}/`);
}

const bare = (url: string) => url.replace(/\/$/, "");

/** Without query, fragment and last slash, its scheme and host in lower case. */
function plain(url: string): string {
  const [path = ""] = url.split(/[?#]/, 1);
  return bare(path.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, (origin) => origin.toLowerCase()));
}
