import { expect, test } from "vitest";
import { type Difference, entry } from "../testing/observations.ts";
import { versions } from "./versions.ts";

const failed: Difference = { attempts: [{ stop: ["failed", "exited"] }] };

test.each<[string, readonly Difference[], readonly (string | null)[]]>([
  ["a server's own word counts", [{ says: "2.1.0" }], ["2.1.0"]],
  ["its word comes before its package", [{ says: "2.1.0", version: "7.0.0" }], ["2.1.0"]],
  ["its package stands in", [{ says: null, version: "7.0.0" }], ["7.0.0"]],
  ["without both nothing is known", [{ says: null }], [null]],
  ["silence belongs to the last known version", [{ says: "2.1.0" }, failed], ["2.1.0", "2.1.0"]],
  [
    "silence of the same package too, whatever the package is called",
    [
      { says: "2.1.0", version: "7.0.0" },
      { ...failed, version: "7.0.0" },
    ],
    ["2.1.0", "2.1.0"],
  ],
  [
    "another package is another version",
    [
      { says: "2.1.0", version: "7.0.0" },
      { ...failed, version: "8.0.0" },
    ],
    ["2.1.0", "8.0.0"],
  ],
  ["nothing is read backwards", [failed, { says: "2.1.0" }], [null, "2.1.0"]],
])("%s", (_, differences, expected) => {
  expect(versions(differences.map(entry))).toEqual(expected);
});

test("a version that is no text is no version", () => {
  const odd = entry();
  odd.observation.facts["server_info"] = { name: "fixture", version: 3 };
  expect(versions([odd])).toEqual([null]);
});
