import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { dataFolder } from "../../store/testing/runs.ts";
import { listings } from "./listings.ts";
import { movedPorts, portsBefore } from "./ports.ts";

const PORTS = {
  everything: 40_001,
  "both-eras": 40_002,
  "modern-only": 40_003,
  "everything-sse": 40_004,
};

async function dataWith(files: Readonly<Record<string, string>>): Promise<string> {
  const data = await dataFolder();
  for (const [name, text] of Object.entries(files)) {
    const path = join(data, "listings", `${name}.json`);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  return data;
}

const written = Object.fromEntries(
  listings(PORTS).map((listing) => [listing.name, JSON.stringify(listing)]),
);

describe("the ports of the demo before", () => {
  test("are those of its listings", async () => {
    expect(await portsBefore(await dataWith(written))).toEqual(PORTS);
  });

  test("are none in an empty folder", async () => {
    expect(await portsBefore(await dataFolder())).toEqual({});
  });

  test("are not those of a listing whose name ends alike", async () => {
    const other = JSON.stringify({
      remotes: [{ type: "streamable-http", url: "http://127.0.0.1:50000/mcp" }],
    });
    const data = await dataWith({ ...written, "example.other/both-eras": other });
    expect(await portsBefore(data)).toEqual(PORTS);
  });

  test.each([
    ["no JSON", "{"],
    ["no listing", "[]"],
    ["a listing without a remote", '{"remotes":[]}'],
    ["a remote that is no URL", '{"remotes":[{"type":"streamable-http","url":"x"}]}'],
    [
      "a remote without a port",
      '{"remotes":[{"type":"streamable-http","url":"http://127.0.0.1/mcp"}]}',
    ],
  ])("leave out a listing that is %s, and any other that is broken", async (_what, text) => {
    const data = await dataWith({ ...written, "example.probity/both-eras": text, "a/b": "{" });
    const { "both-eras": _, ...others } = PORTS;
    expect(await portsBefore(data)).toEqual(others);
  });
});

test("a port that could not be had again is said, and no other", () => {
  const now = { ...PORTS, "both-eras": 40_009 };
  expect(movedPorts({}, now)).toEqual([]);
  expect(movedPorts(PORTS, PORTS)).toEqual([]);
  expect(movedPorts(PORTS, now)).toEqual([
    expect.stringMatching(/^Port 40002 of both-eras is in use, so it listens on 40009\./),
  ]);
});
