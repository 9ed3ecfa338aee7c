import { expect, test } from "vitest";

// Every script runs on the Node that the dev dependency "node" brings. An install that skips its
// install script falls back to the machine's own Node without a word.
test("the tests run on Node 24 or later", () => {
  const [major] = process.versions.node.split(".").map(Number);
  expect(
    major,
    `This is Node ${process.versions.node}. Run "npm ci" without --ignore-scripts, then "npm test".`,
  ).toBeGreaterThanOrEqual(24);
});
