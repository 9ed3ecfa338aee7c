/** What an answer sends us to do next, and whether we do it: rules only, nothing is sent from here. */
import { limit } from "../rules.ts";
import type { Fault } from "./fault.ts";

/** What a message does next that had no answer yet. */
export type Next =
  | { readonly how: "redirect"; readonly to: URL }
  | { readonly how: "unfollowed"; readonly fault: Fault }
  /** Once more, on a fresh connection. */
  | { readonly how: "again" };

/** What may happen only so often to one message. */
export interface Tries {
  redirects: number;
  resent: boolean;
  misdirected: boolean;
}

/** What a head asks for; undefined when it is the answer. Counts what it allows. */
export function nextOf(
  status: number,
  location: string | undefined,
  url: URL,
  tries: Tries,
): Next | undefined {
  if (status === 421 && !tries.misdirected) {
    tries.misdirected = true;
    return { how: "again" };
  }
  const redirect = redirectOf(status, location, url, tries.redirects);
  if (!redirect) return undefined;
  if ("fault" in redirect) return { how: "unfollowed", fault: redirect.fault };
  tries.redirects += 1;
  return { how: "redirect", to: redirect.to };
}

/**
 * The next address of a redirect that keeps method and body, a fault when it is not followed, and
 * undefined for every other answer: 301, 302 and 303 may turn a POST into a GET, so nobody can tell
 * what would be asked there.
 */
export function redirectOf(
  status: number,
  location: string | undefined,
  from: URL,
  followed: number,
): { readonly to: URL } | { readonly fault: Fault } | undefined {
  if (status !== 307 && status !== 308) return undefined;
  const no = (code: string, message: string) => ({ fault: { code: `REDIRECT_${code}`, message } });
  if (location === undefined) return no("LOCATION", "it names no address");
  if (!URL.canParse(location, from.href)) return no("LOCATION", "its address is none");
  const to = new URL(location, from);
  if (to.protocol === "http:" && from.protocol === "https:") {
    return no("DOWNGRADE", "it leads from https to http");
  }
  if (to.protocol !== "https:" && to.protocol !== "http:") {
    return no("LOCATION", "its address is not of the web");
  }
  if (followed >= limit("redirects")) {
    return no("LIMIT", `it comes after ${followed} others, which may be a loop`);
  }
  // Nobody's credentials are sent, and a fragment never is.
  to.username = to.password = to.hash = "";
  return { to };
}

/** Nothing answers, or nothing may be dialled, where a redirect leads. */
export const NO_WAY: Fault = {
  code: "REDIRECT_UNREACHABLE",
  message: "no connection could be made there",
};
