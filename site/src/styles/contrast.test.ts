import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const css = readFileSync(new URL("tokens.css", import.meta.url), "utf8");
const [lightBlock = "", darkBlock = ""] = css.split("prefers-color-scheme: dark");

const tokensIn = (block: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Array.from(block.matchAll(/--(\w+): (#[0-9a-f]{6});/g), ([, name, colour]) => [name, colour]),
  );

const schemes = { light: tokensIn(lightBlock), dark: tokensIn(darkBlock) };

/** WCAG 2.2, relative luminance of an sRGB colour. */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** WCAG 2.2, contrast ratio of two colours, 1 to 21. */
function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

test("the ratio itself: black on white is 21, a colour on itself is 1", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
  expect(contrast("#1d4f7c", "#1d4f7c")).toBe(1);
});

test("the dark scheme changes every colour of the light one", () => {
  expect(Object.keys(schemes.dark)).toEqual(Object.keys(schemes.light));
});

describe.each(["light", "dark"] as const)("in the %s scheme", (scheme) => {
  const { paper, panel, ...tokens } = schemes[scheme];
  const texts = ["ink", "muted", "accent", "alive", "degraded", "unverifiable", "dead", "none"];

  test.each(texts)("text in %s reads on paper and on a panel, 4.5 to 1", (name) => {
    expect(contrast(tokens[name]!, paper!)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(tokens[name]!, panel!)).toBeGreaterThanOrEqual(4.5);
  });

  test("the edge of an input is seen, 3 to 1", () => {
    expect(contrast(tokens["edge"]!, paper!)).toBeGreaterThanOrEqual(3);
  });
});
