import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { checks } from "../probe/checks/index.ts";
import { current, currentVerdict, discover, methodologies, verdicts } from "./index.ts";

describe("the published methodologies", () => {
  test("are all found", () => {
    expect(methodologies.map(({ id }) => id)).toEqual(["verdict/1.0.0", "verdict/1.1.0"]);
  });

  test("have one current verdict, which comes first", () => {
    expect(currentVerdict.id).toBe("verdict/1.1.0");
    expect(verdicts.map(({ id }) => id)).toEqual(["verdict/1.1.0", "verdict/1.0.0"]);
  });

  test("have one current version a family, and it exists", () => {
    const families = [...new Set(methodologies.map(({ id }) => id.split("/")[0]))];
    expect([...current].map((id) => id.split("/")[0])).toEqual(families);
    expect(methodologies.map(({ id }) => id)).toEqual(expect.arrayContaining([...current]));
  });

  test.each(methodologies)("$id names each check once", ({ checks: counted }) => {
    expect(new Set(counted).size).toBe(counted.length);
  });
});

describe("checks and methodologies", () => {
  const implemented: readonly string[] = checks.map(({ id }) => id);

  test.each(verdicts)("$id waits for the checks of L2 alone", ({ checks: counted }) => {
    const waiting = counted.filter((id) => !implemented.includes(id));
    expect(waiting).toEqual(counted.filter((id) => id.startsWith("L2.")));
  });
});

describe("discovery", async () => {
  const folder = await mkdtemp(join(tmpdir(), "methodology-"));
  afterAll(() => rm(folder, { recursive: true }));

  async function holding(name: string, path: string | null, source: string): Promise<URL> {
    const root = join(folder, name);
    await mkdir(join(root, path ?? ""), { recursive: true });
    if (path !== null) await writeFile(join(root, path, "index.ts"), source);
    return pathToFileURL(`${root}/`);
  }

  test("finds a version by its folder", async () => {
    const root = await holding("good", "score/2.0.0", `export default { id: "score/2.0.0" };`);
    expect(await discover(root)).toEqual([{ id: "score/2.0.0" }]);
  });

  test.each([
    ["an empty folder", null, "", "holds no methodology"],
    ["a folder without a version", "score/draft", "export default {};", "holds no methodology"],
    [
      "an id that is not its path",
      "score/1.0.0",
      `export default { id: "score/2.0.0" };`,
      'methodology/score/1.0.0/index.ts calls itself "score/2.0.0"',
    ],
    ["a version without a default export", "score/1.0.0", "export {};", "has no default export"],
  ])("refuses %s", async (name, path, source, message) => {
    await expect(discover(await holding(name, path, source))).rejects.toThrow(message);
  });
});
