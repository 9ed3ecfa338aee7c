import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { methodologies } from "./index.ts";

describe.each(methodologies)("$id", ({ rules }) => {
  test.each(Object.entries(rules))(
    "goes by %s as it was published: a change of the list needs a new version",
    async (name, digest) => {
      const file = await readFile(new URL(`../rules/${name}.json`, import.meta.url));
      expect(createHash("sha256").update(file).digest("hex")).toBe(digest);
    },
  );

  test("pins every list whose words become a reason", () => {
    expect(Object.keys(rules)).toEqual(
      expect.arrayContaining([
        "credential-demands",
        "missing-credentials",
        "missing-services",
        "protocol-versions",
        "sandbox-faults",
      ]),
    );
  });
});
