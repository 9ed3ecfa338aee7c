/**
 * Every link of the built site leads to a file of it, and every fragment to an id in that file.
 * Run as a program it checks `site/dist`: `npx tsx site/check-links.ts`.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import config from "../probity.config.ts";

export interface BrokenLink {
  /** File of the page, below the built folder. */
  readonly page: string;
  /** As it stands in the page. */
  readonly link: string;
  readonly problem: "outside the base" | "no such file" | "no such fragment";
}

const LINK = /\s(?:href|src)="([^"]*)"/g;
const ID = /\sid="([^"]*)"/g;

const decoded = (attribute: string): string =>
  attribute.replace(/&(?:amp|#38);/g, "&").replace(/&(?:quot|#34);/g, '"');

/** Internal links and sources below `directory` that do not resolve under `base`; other sites are not asked. */
export function brokenLinks(directory: string, base: string = config.base): readonly BrokenLink[] {
  const prefix = base.replace(/\/$/, "");
  const ids = new Map<string, ReadonlySet<string>>();
  const idsOf = (file: string): ReadonlySet<string> => {
    const known = ids.get(file);
    if (known) return known;
    const text = readFileSync(file, "utf8");
    const found = new Set(Array.from(text.matchAll(ID), ([, id = ""]) => decoded(id)));
    ids.set(file, found);
    return found;
  };
  const problemOf = (page: string, link: string): BrokenLink["problem"] | null => {
    const origin = "http://site.invalid";
    const from = `${origin}${prefix}/${page.replace(/index\.html$/, "")}`;
    const url = URL.parse(link, from);
    if (url?.origin !== origin) return url === null ? "no such file" : null;
    if (!url.pathname.startsWith(`${prefix}/`)) return "outside the base";
    const file = fileFor(join(directory, decodeURIComponent(url.pathname.slice(prefix.length))));
    if (file === null) return "no such file";
    const fragment = decodeURIComponent(url.hash.slice(1));
    return fragment === "" || idsOf(file).has(fragment) ? null : "no such fragment";
  };
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((page) => page.endsWith(".html"))
    .sort()
    .flatMap((page) => {
      const html = readFileSync(join(directory, page), "utf8");
      const links = new Set(Array.from(html.matchAll(LINK), ([, link = ""]) => decoded(link)));
      return [...links].flatMap((link) => {
        const problem = problemOf(page, link);
        return problem === null ? [] : [{ page, link, problem }];
      });
    });
}

/** The file that a static host serves for a path; null where there is none. */
function fileFor(path: string): string | null {
  if (!existsSync(path)) return null;
  if (statSync(path).isFile()) return path;
  const index = join(path, "index.html");
  return existsSync(index) ? index : null;
}

if (import.meta.main) {
  const built = resolve("site/dist");
  const broken = existsSync(join(built, "index.html")) ? brokenLinks(built) : null;
  const lines = broken?.map(({ page, link, problem }) => `${page}: ${link}: ${problem}\n`);
  process.stdout.write(
    lines === undefined
      ? `No built site in ${built}: run \`npx astro build --root site\` first.\n`
      : `${lines.join("")}${lines.length} broken links\n`,
  );
  process.exitCode = broken?.length === 0 ? 0 : 1;
}
