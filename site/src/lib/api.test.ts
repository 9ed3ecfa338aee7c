import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openApi } from "./api.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "probity-api-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const write = (path: string, value: unknown) => {
  mkdirSync(join(directory, path, ".."), { recursive: true });
  writeFileSync(join(directory, path), JSON.stringify(value));
};

describe("openApi", () => {
  test("says what to run when nothing was published", () => {
    expect(() => openApi(directory).servers()).toThrow(
      `No API files in ${directory}: run \`npm run publish\` first, or \`npm start\`.`,
    );
  });

  test("names the file when one is missing", () => {
    write("servers.json", { asOf: null, servers: [] });
    expect(() => openApi(directory).stats()).toThrow(`${join(directory, "stats.json")} is missing`);
  });

  test("reads a server by its name", () => {
    write("servers.json", { asOf: null, servers: [] });
    write("servers/io.github.acme/weather.json", { name: "io.github.acme/weather" });
    expect(openApi(directory).server("io.github.acme/weather").name).toBe("io.github.acme/weather");
  });

  test.each(["../x", "a/..", "./x", "a/b/c", "a", "a/b\n", "a/b?c", "a/<b>", "/etc/passwd", ""])(
    "refuses %j as a name",
    (name) => {
      write("servers.json", { asOf: null, servers: [{ name }] });
      expect(() => openApi(directory).server(name)).toThrow("is not the name of a listing");
      expect(() => openApi(directory).servers()).toThrow("is not the name of a listing");
    },
  );
});
