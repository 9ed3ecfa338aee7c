import { describe, expect, test } from "vitest";
import { absolute, href, outside, rerunHref } from "./href.ts";

describe("href", () => {
  test.each([
    ["at the root of a host", "/checks/", "/", "/checks/"],
    ["below a path", "/checks/", "/probity", "/probity/checks/"],
    ["below a path that ends with a slash", "/checks/", "/probity/", "/probity/checks/"],
    ["the front page below a path", "/", "/probity", "/probity/"],
  ] as const)("%s", (_, path, base, expected) => {
    expect(href(path, base)).toBe(expected);
  });
});

describe("absolute", () => {
  test.each([
    ["a site of its own host", "https://example.org", "/"],
    ["a site below a path, named by its host alone", "https://example.org", "/probity"],
    ["a site below a path, named in full", "https://example.org/probity", "/probity"],
  ] as const)("%s", (_, site, base) => {
    expect(absolute("/about/", site, base)).toBe(
      `https://example.org${base.replace(/\/$/, "")}/about/`,
    );
  });
});

test("a listing's name cannot add parameters to the issue of a dispute", () => {
  const url = new URL(rerunHref("a/b&labels=approved", "https://example.org/repo"));
  expect([...url.searchParams.keys()]).toEqual(["title", "body"]);
});

test.each([
  ["https is linked", "https://example.org/a?b#c", "https://example.org/a?b#c"],
  ["http is linked", "http://example.org", "http://example.org"],
  ["a script is not", "javascript:alert(1)", null],
  ["a script behind a tab is not", "java\tscript:alert(1)", null],
  ["data is not", "data:text/html,<script>", null],
  ["a path is not", "//example.org", null],
  ["nothing is not", null, null],
])("%s", (_, url, expected) => {
  expect(outside(url)).toBe(expected);
});
