import { describe, expect, test } from "vitest";
import type { ServerRow } from "../../../scripts/api/schema.ts";
import {
  choices,
  FRONT,
  ROWS_PER_PAGE,
  select,
  viewPages,
  viewPath,
  type View,
} from "./directory.ts";

interface Given {
  verdict?: ServerRow["verdict"]["verdict"];
  freshness?: ServerRow["verdict"]["freshness"];
  transport?: ServerRow["transport"];
  checkedAt?: string;
  latency?: number | null;
  uptime30d?: number | null;
}

function row(name: string, given: Given = {}): ServerRow {
  const { verdict = "alive", freshness = "fresh", transport = "stdio", checkedAt } = given;
  return {
    name,
    title: name,
    description: "",
    transport,
    targets: 1,
    latency: given.latency ?? null,
    uptime30d: given.uptime30d ?? null,
    verdict: {
      methodology: "verdict/1.1.0",
      verdict,
      reason: null,
      because: "",
      from: checkedAt === undefined ? null : { run: "r", checkedAt, version: null },
      staleAt: null,
      hiddenAt: null,
      freshness,
      passed: 0,
      assessed: 0,
      total: 0,
      failed: [],
    },
  };
}

const view = (change: Partial<View>): View => ({ ...FRONT, ...change });
const names = (servers: readonly ServerRow[], change: Partial<View>) =>
  select(servers, view(change)).map((server) => server.name);

describe("viewPath", () => {
  test.each([
    ["the plain view is the front page", {}, "/"],
    ["a filter", { verdict: "dead" }, "/directory/dead/any/name/"],
    [
      "both filters and an order",
      { verdict: "alive", transport: "sse", sort: "latency" },
      "/directory/alive/sse/latency/",
    ],
    ["a later page of the plain view", { page: 2 }, "/directory/any/any/name/2/"],
  ] as const)("%s", (_, change, expected) => {
    expect(viewPath(view(change))).toBe(expected);
  });
});

describe("select", () => {
  test("a hidden verdict counts as no current result, and not as what it was", () => {
    const servers = [row("a/old", { freshness: "hidden" }), row("a/new")];
    expect(names(servers, { verdict: "alive" })).toEqual(["a/new"]);
    expect(names(servers, { verdict: "none" })).toEqual(["a/old"]);
  });

  test("filters hold together", () => {
    const servers = [
      row("a/a"),
      row("a/b", { transport: "sse" }),
      row("a/c", { transport: "sse", verdict: "dead" }),
    ];
    expect(names(servers, { verdict: "alive", transport: "sse" })).toEqual(["a/b"]);
  });

  test.each([
    [
      "names in code-point order",
      "name",
      ["a/Z", "a/a", "a/b"],
      { "a/Z": {}, "a/a": {}, "a/b": {} },
    ],
    [
      "fast ones first, never measured ones after them",
      "latency",
      ["a/b", "a/a", "a/c"],
      { "a/a": { latency: 90 }, "a/b": { latency: 80 }, "a/c": {} },
    ],
    [
      "high uptime first, zero before never measured",
      "uptime",
      ["a/c", "a/b", "a/a"],
      { "a/a": {}, "a/b": { uptime30d: 0 }, "a/c": { uptime30d: 9000 } },
    ],
    [
      "newest check first, none last",
      "checked",
      ["a/b", "a/a", "a/c"],
      {
        "a/a": { checkedAt: "2026-11-01T00:00:00.000Z" },
        "a/b": { checkedAt: "2026-11-02T00:00:00.000Z" },
        "a/c": {},
      },
    ],
    [
      "unverifiable above what failed",
      "verdict",
      ["a/d", "a/c", "a/b", "a/a", "a/e"],
      {
        "a/a": { verdict: "dead" },
        "a/b": { verdict: "degraded" },
        "a/c": { verdict: "unverifiable" },
        "a/d": {},
        "a/e": { verdict: null },
      },
    ],
  ] as const)("%s", (_, sort, expected, given: Readonly<Record<string, Given>>) => {
    const servers = Object.entries(given).map(([name, change]) => row(name, change));
    expect(names(servers, { sort })).toEqual(expected);
    expect(names(servers.toReversed(), { sort })).toEqual(expected);
  });
});

describe("viewPages", () => {
  test("an empty directory still has its front page, and no other", () => {
    expect(viewPages([]).map((page) => viewPath(page.view))).toEqual(["/"]);
  });

  test("the pages of one view hold each listing once, in order", () => {
    const servers = Array.from({ length: ROWS_PER_PAGE * 2 + 1 }, (_, i) => row(`a/${1000 + i}`));
    const pages = viewPages(servers).filter((page) => viewPath({ ...page.view, page: 1 }) === "/");
    expect(pages.map((page) => page.rows.length)).toEqual([ROWS_PER_PAGE, ROWS_PER_PAGE, 1]);
    expect(pages.flatMap((page) => page.rows)).toEqual(servers);
  });

  test("no two pages share an address, and every choice that is offered exists", () => {
    const servers = [
      row("a/a"),
      row("a/b", { transport: "sse", verdict: "dead" }),
      row("a/c", { verdict: null }),
    ];
    const paths = viewPages(servers).map((page) => viewPath(page.view));
    expect(new Set(paths).size).toBe(paths.length);
    const offered = viewPages(servers).flatMap(({ view }) =>
      (["verdict", "transport"] as const).flatMap((filter) => choices(servers, view, filter)),
    );
    expect(
      offered.map((choice) => choice.path).filter((path) => path !== null && !paths.includes(path)),
    ).toEqual([]);
  });
});

test("a choice counts what it would show beside the other filter, and leads nowhere when that is nothing", () => {
  const servers = [row("a/a"), row("a/b", { transport: "sse", verdict: "dead" })];
  expect(
    choices(servers, view({ transport: "sse" }), "verdict").map(({ value, count, path }) => [
      value,
      count,
      path,
    ]),
  ).toEqual([
    ["any", 1, "/directory/any/sse/name/"],
    ["alive", 0, null],
    ["unverifiable", 0, null],
    ["degraded", 0, null],
    ["dead", 1, "/directory/dead/sse/name/"],
    ["none", 0, null],
  ]);
});
