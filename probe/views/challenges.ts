/** Reads WWW-Authenticate (RFC 9110, section 11): which logins a server offers, with their parameters. */
import type { Exchange } from "./exchanges.ts";

export interface Challenge {
  /** Lower case: schemes compare without case. */
  readonly scheme: string;
  /** The single value that some schemes send instead of parameters. */
  readonly token68?: string;
  /** By name in lower case; the first of a name counts. */
  readonly parameters: ReadonlyMap<string, string>;
}

const SEPARATORS = /[\s,]*/y;
const TOKEN = /[!#$%&'*+\-.^_`|~0-9A-Za-z]+/y;
const EQUALS = /[ \t]*=[ \t]*/y;
const QUOTED = /"((?:[^"\\]|\\.)*)"?/sy;
const BARE_VALUE = /[^\s,]*/y;
/** Stands alone up to the next comma; a parameter would go on after its "=". */
const TOKEN68 = /[ \t]+([A-Za-z0-9\-._~+/]+=*)(?=[ \t]*(?:,|$))/y;
const UP_TO_COMMA = /[^,]*/y;

/** The challenges of one header value, in order. What does not follow the grammar is skipped. */
export function parseChallenges(value: string): readonly Challenge[] {
  const found: { scheme: string; token68?: string; parameters: Map<string, string> }[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const match = pattern.exec(value);
    if (match) at = pattern.lastIndex;
    return match ?? undefined;
  };
  while ((take(SEPARATORS), at < value.length)) {
    const token = take(TOKEN)?.[0];
    if (token === undefined) {
      // No token can start here: leave this piece, and at least one character.
      if (take(UP_TO_COMMA)?.[0] === "") at += 1;
      continue;
    }
    const current = found.at(-1);
    if (current && take(EQUALS)) {
      const quoted = take(QUOTED)?.[1]?.replace(/\\(.)/gs, "$1");
      const text = quoted ?? take(BARE_VALUE)?.[0] ?? "";
      const name = token.toLowerCase();
      if (!current.parameters.has(name)) current.parameters.set(name, text);
      continue;
    }
    const token68 = take(TOKEN68)?.[1];
    found.push({
      scheme: token.toLowerCase(),
      ...(token68 !== undefined && { token68 }),
      parameters: new Map(),
    });
  }
  return found;
}

/** Every challenge of a response, over all its WWW-Authenticate headers. */
export function challengesOf(exchange: Exchange): readonly Challenge[] {
  const headers = exchange.response?.headers ?? [];
  return headers
    .filter(([name]) => name.toLowerCase() === "www-authenticate")
    .flatMap(([, value]) => parseChallenges(value));
}
