/** Where links in a methodology's README lead once it is a page: to another page, or to the repository. */
import { posix } from "node:path";
import config from "../../../probity.config.ts";
import { builtHref } from "./checks.ts";
import { href } from "./href.ts";

const PAGE = /^\/methodology\/([^/]+\/\d+\.\d+\.\d+)(?:\/README\.md|\/)?$/;
const CHECK = /^\/probe\/checks\/(L\d\.[a-z_]+(?:@\d+)?)\.ts$/;

/**
 * The address for `url`, written in the file `from`; `from` is a path that ends with
 * `/methodology/<family>/<version>/README.md`. Full addresses and fragments stay as they are. Null for
 * a check that is not built: it has a page neither here nor in the repository.
 */
export function proseHref(
  url: string,
  from: string,
  built: Parameters<typeof builtHref>[1],
  repository: string = config.repository,
): string | null {
  if (/^[a-z][a-z0-9+.-]*:|^#/i.test(url)) return url;
  const [path = "", fragment] = url.split("#", 2);
  const here = from.slice(from.lastIndexOf("/methodology/"));
  const target = posix.join(posix.dirname(here), path);
  const hash = fragment === undefined ? "" : `#${fragment}`;
  const page = PAGE.exec(target)?.[1];
  if (page !== undefined) return href(`/methodology/${page}/${hash}`);
  const check = CHECK.exec(target)?.[1];
  if (check !== undefined) {
    const address = builtHref(check, built);
    return address === null ? null : address + hash;
  }
  return `${repository}/blob/main${target}${hash}`;
}
