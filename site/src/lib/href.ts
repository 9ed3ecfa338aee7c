/** The only maker of links: a fork may live under a path, so no page writes an absolute link by hand. */
import config from "../../../probity.config.ts";

/** The address of a page or file of this site; `path` begins with a slash. */
export function href(path: `/${string}`, base: string = config.base): string {
  return base.replace(/\/$/, "") + path;
}

/** The same with scheme and host, for what leaves the site: badges and feeds. */
export function absolute(path: `/${string}`, site: string = config.url, base?: string): string {
  return new URL(href(path, base), site).href;
}

export const serverHref = (name: string): string => href(`/servers/${name}/`);
export const checkHref = (id: string): string => href(`/checks/${id}/`);
export const methodologyHref = (id: string): string => href(`/methodology/${id}/`);
export const runHref = (id: string): string => href(`/runs/${id}/`);
/** `path` as the API's own files name it, below `api/v1`. */
export const apiHref = (path: string): string => href(`/api/v1/${path}`);

/** An address that a stranger gave, if it is one that a page may link to: `http` or `https`; else null. */
export function outside(url: string | null): string | null {
  return url !== null && /^https?:$/.test(URL.parse(url)?.protocol ?? "") ? url : null;
}

/** Opens an issue that asks for a re-run, with the listing filled in. */
export function rerunHref(name: string, repository: string = config.repository): string {
  const query = new URLSearchParams({
    title: `Re-run: ${name}`,
    body: `Please probe ${name} again.`,
  });
  return `${repository}/issues/new?${query}`;
}
