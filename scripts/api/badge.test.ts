import { describe, expect, test } from "vitest";
import type { VerdictAssessment } from "../../methodology/verdict/assessment.ts";
import { badgeEndpoint, badgeSvg } from "./badge.ts";
import { BadgeEndpoint } from "./schema.ts";

const ALIVE: VerdictAssessment = {
  methodology: "verdict/1.1.0",
  verdict: "alive",
  reason: null,
  because: "Works.",
  from: { run: "2026/11/30/1200Z-full-a", checkedAt: "2026-11-30T12:00:00.000Z", version: "1.0.0" },
  staleAt: "2026-12-02T12:00:00.000Z",
  hiddenAt: "2026-12-07T12:00:00.000Z",
  freshness: "fresh",
  passed: 11,
  assessed: 11,
  total: 15,
  failed: [],
};
const NONE: VerdictAssessment = {
  ...ALIVE,
  verdict: null,
  from: null,
  staleAt: null,
  hiddenAt: null,
  freshness: null,
};

const CASES: readonly (readonly [string, VerdictAssessment, string])[] = [
  ["no result", NONE, "no result yet"],
  ["alive", ALIVE, "alive · 2026-11-30"],
  ["degraded", { ...ALIVE, verdict: "degraded" }, "degraded · 2026-11-30"],
  ["dead", { ...ALIVE, verdict: "dead", reason: "timeout" }, "dead · 2026-11-30"],
  ["unverifiable", { ...ALIVE, verdict: "unverifiable" }, "unverifiable · 2026-11-30"],
  [
    "unverifiable for a known reason",
    { ...ALIVE, verdict: "unverifiable", reason: "auth-required" },
    "unverifiable (auth required) · 2026-11-30",
  ],
  ["stale", { ...ALIVE, freshness: "stale" }, "alive (stale) · 2026-11-30"],
  ["hidden", { ...ALIVE, freshness: "hidden" }, "unknown · last seen 2026-11-30"],
  [
    "hidden and dead",
    { ...ALIVE, verdict: "dead", freshness: "hidden" },
    "unknown · last seen 2026-11-30",
  ],
];

const draw = (assessment: VerdictAssessment, label = "Probity") =>
  badgeSvg(badgeEndpoint(label, assessment));

describe("the badge of a server that is", () => {
  test.each(CASES)("%s", (_, assessment, message) => {
    const endpoint = badgeEndpoint("Probity", assessment);
    expect(BadgeEndpoint.parse(endpoint)).toMatchObject({ label: "probity", message });
    const svg = badgeSvg(endpoint);
    expect(svg).toContain(`aria-label="probity: ${message}"`);
    expect(svg).toContain(`<title>probity: ${message}</title>`);
    expect(svg).toContain(`>${message}</text>`);
    expect(Buffer.byteLength(svg)).toBeLessThan(1000);
  });
});

describe("colour", () => {
  const red = badgeEndpoint("p", { ...ALIVE, verdict: "dead" }).color;

  test("is red for a fresh dead alone", () => {
    const others = CASES.filter(([name]) => name !== "dead").map(([, assessment]) => assessment);
    for (const assessment of others) expect(badgeEndpoint("p", assessment).color).not.toBe(red);
  });

  test("is the colour of a verdict only while it is fresh", () => {
    const fresh = badgeEndpoint("p", ALIVE).color;
    expect(badgeEndpoint("p", { ...ALIVE, freshness: "stale" }).color).not.toBe(fresh);
    expect(badgeEndpoint("p", { ...ALIVE, freshness: "hidden" }).color).not.toBe(fresh);
  });

  test("leaves white text a contrast of 4.5 to 1 everywhere", () => {
    const fills = CASES.flatMap(([, assessment]) => [
      ...draw(assessment).matchAll(/fill="#([0-9a-f]{6})"/g),
    ]);
    expect(fills).toHaveLength(2 * CASES.length);
    for (const [, fill] of fills) expect(contrastWithWhite(fill!)).toBeGreaterThanOrEqual(4.5);
  });
});

describe("the drawing", () => {
  test("is wide enough for both texts", () => {
    const svg = draw(ALIVE);
    const texts = [...svg.matchAll(/<text x="(\d+)" y="14" textLength="(\d+)">/g)].map((match) =>
      match.slice(1).map(Number),
    ) as [number, number][];
    const [[x1, length1], [x2, length2]] = texts as [[number, number], [number, number]];
    expect(x1 + length1).toBeLessThan(x2);
    expect(Number(/width="(\d+)"/.exec(svg)![1])).toBe(x2 + length2 + x1);
  });

  test("says nothing of the server and carries no id", () => {
    const hostile = "</text><script>alert(1)</script>";
    const svg = draw({
      ...ALIVE,
      because: hostile,
      from: { ...ALIVE.from!, version: hostile },
      failed: [hostile],
    });
    expect(svg).toBe(draw(ALIVE));
    expect(svg).not.toMatch(/\sid=/);
  });

  test("escapes the name of the directory", () => {
    const svg = draw(ALIVE, `<b> & "'`);
    expect(svg).toContain("&#60;b&#62; &#38; &#34;&#39;");
    expect(svg).not.toContain("<b>");
  });
});

/** By WCAG 2: relative luminance, against white. */
function contrastWithWhite(hex: string): number {
  const [red, green, blue] = [0, 2, 4].map((start) => {
    const share = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}
