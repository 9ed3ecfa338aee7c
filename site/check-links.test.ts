import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { brokenLinks } from "./check-links.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "probity-links-"));
  write("checks/index.html", '<h2 id="why">Why</h2>');
  write("mark.svg", '<svg><symbol id="alive"/></svg>');
});
afterEach(() => rmSync(directory, { recursive: true }));

function write(path: string, html: string): void {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), html);
}

const problems = (html: string, base: string) => {
  write("about/index.html", html);
  return brokenLinks(directory, base).map(({ problem }) => problem);
};

describe("resolves", () => {
  test.each([
    ["a folder with an index", '<a href="/checks/">', "/"],
    ["a folder below a base", '<a href="/name/checks/">', "/name"],
    ["a base with a slash at its end", '<a href="/name/checks/">', "/name/"],
    ["a file", '<img src="/mark.svg">', "/"],
    ["a fragment of another file", '<use href="/mark.svg#alive">', "/"],
    ["a fragment of the page itself", '<p id="a&#38;b"></p><a href="#a%26b">', "/"],
    ["a path from the page on", '<a href="../checks/#why">', "/"],
    ["another site, which is not asked", '<a href="https://example.org/nowhere">', "/"],
    ["text that only looks like a link", "<pre> href=&quot;/nowhere&quot;</pre>", "/"],
  ])("%s", (_, html, base) => {
    expect(problems(html, base)).toEqual([]);
  });
});

describe("reports", () => {
  test.each([
    ["a missing page", '<a href="/nowhere/">', "/", "no such file"],
    ["a missing image", '<img src="/nowhere.svg">', "/", "no such file"],
    ["a folder without an index", '<a href="/">', "/", "no such file"],
    ["a missing fragment", '<a href="/checks/#how">', "/", "no such fragment"],
    [
      "a link written by hand that forgets the base",
      '<a href="/checks/">',
      "/name",
      "outside the base",
    ],
  ] as const)("%s", (_, html, base, problem) => {
    expect(problems(html, base)).toEqual([problem]);
  });

  test("the page and the link as written", () => {
    write("about/index.html", '<a href="/x?a=1&amp;b=2">');
    expect(brokenLinks(directory, "/")).toEqual([
      { page: join("about", "index.html"), link: "/x?a=1&b=2", problem: "no such file" },
    ]);
  });
});
