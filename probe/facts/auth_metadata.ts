import { defineFact, type Json } from "../fact.ts";
import { isFilled, own } from "../views/json.ts";
import { isWithin, loginMetadata } from "../views/login-metadata.ts";
import { count } from "../views/words.ts";

/** Lists and texts of a stranger are cut where no honest one gets to. */
const MOST = 50;
const LONGEST = 500;

export default defineFact({
  id: "auth_metadata",
  title: "Published login",
  describes:
    "What the host of a server that asks for a login publishes about it: the resource's document (RFC 9728), whether it is about the probed address, the authorization servers and scopes that it names, and what the first server's document (RFC 8414) says of registering clients. Absent where nothing was found.",
  run(transcript) {
    const { resource, server, servers } = loginMetadata(transcript);
    const { target } = transcript;
    if ((!resource && !server) || target.kind !== "remote") return undefined;
    const about = own(resource?.json, "resource");
    return {
      resource: resource ? resource.url : null,
      aboutTarget: typeof about === "string" && isWithin(target.url, about),
      servers: texts(servers),
      server: server ? server.url : null,
      issuer: texts([own(server?.json, "issuer")])[0] ?? null,
      scopes: texts(own(resource?.json, "scopes_supported")),
      registration: {
        dynamic: isFilled(own(server?.json, "registration_endpoint")),
        clientDocument: own(server?.json, "client_id_metadata_document_supported") === true,
      },
    } satisfies Json;
  },
  show: ({ resource, aboutTarget, servers, server, scopes }) =>
    [
      resource === null ? "no resource document" : "resource document",
      ...(resource === null || aboutTarget ? [] : ["about another address"]),
      count(servers.length, "authorization server"),
      server === null ? "no server document" : "server document",
      ...(scopes.length > 0 ? [count(scopes.length, "scope")] : []),
    ].join(", "),
});

function texts(list: unknown): string[] {
  const all = Array.isArray(list) ? (list as unknown[]).filter(isFilled) : [];
  return all.slice(0, MOST).map((text) => text.slice(0, LONGEST));
}
