import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { DataError } from "../errors.ts";
import { readJson } from "./json.ts";
import { listDigest, readListings, targetsOf } from "./listings.ts";
import { ServerJson } from "./server-json.ts";
import { dataFolder } from "./testing/runs.ts";

const MINIMAL = { name: "example.fixture/server", description: "A server.", version: "1.0.0" };

const targets = (server: object) => targetsOf(ServerJson.parse({ ...MINIMAL, ...server }));

const npm = (rest: object = {}) => ({
  registryType: "npm",
  identifier: "@scope/name",
  version: "1.2.3",
  transport: { type: "stdio" },
  ...rest,
});

describe("the targets of a listing", () => {
  test("are its remotes, then its packages; the first is the primary one", () => {
    const found = targets({
      packages: [npm()],
      remotes: [{ type: "streamable-http", url: "https://mcp.example/mcp" }],
    });
    expect(found.map(({ key }) => key)).toEqual(["https://mcp.example/mcp", "npm:@scope/name"]);
  });

  test("name what nothing fills, and fill what has a value or a default", () => {
    const [found] = targets({
      packages: [
        npm({
          environmentVariables: [
            { name: "FIXED", value: "1" },
            { name: "DEFAULT", default: "2" },
            { name: "KEY", isRequired: true, isSecret: true },
            { name: "OPTIONAL" },
          ],
          packageArguments: [
            { type: "positional", value: "serve" },
            { type: "named", name: "--port", default: "80" },
            { type: "positional", valueHint: "folder", isRequired: true },
            { type: "named", name: "--verbose" },
          ],
        }),
      ],
    });
    expect(found).toMatchObject({
      environment: { FIXED: "1", DEFAULT: "2" },
      arguments: ["serve", "--port", "80"],
      missing: ["KEY", "folder"],
    });
  });

  test("leave holes open that are filled with what makes no URL", () => {
    const variables = { port: { value: "x y" }, path: { value: "mcp" } };
    const url = "https://mcp.example:{port}/{path}";
    const broken = { remotes: [{ type: "sse", url, variables }] };
    expect(ServerJson.safeParse({ ...MINIMAL, ...broken }).success).toBe(false);
    const [found] = targets({
      remotes: [{ type: "sse", url: "https://{host}/{path}", variables: { host: { value: "[" } } }],
    });
    expect(found).toMatchObject({ url: "https://{host}/{path}", missing: ["host", "path"] });
  });

  test("keep the hole of a URL as their key, and say that it is one", () => {
    const url = "https://{tenant}.mcp.example/{path}";
    const [found] = targets({
      remotes: [{ type: "streamable-http", url, variables: { path: { default: "mcp" } } }],
    });
    expect(found).toMatchObject({
      key: url,
      url: "https://{tenant}.mcp.example/mcp",
      missing: ["tenant"],
    });
  });

  test("need a required header that no request of ours carries", () => {
    const headers = [{ name: "Authorization", isRequired: true }, { name: "X-Optional" }];
    const [found] = targets({
      remotes: [{ type: "sse", url: "https://mcp.example/sse", headers }],
    });
    expect(found).toMatchObject({ transport: "sse", missing: ["Authorization"] });
  });

  test("fill the holes of a value from the variables beside it", () => {
    const variables = { port: { default: "80" } };
    const packageArguments = [
      { type: "positional", value: "http://{host}:{port}", isRequired: true, variables },
      { type: "named", name: "--port", value: "{port}", variables },
    ];
    const [found] = targets({ packages: [npm({ packageArguments })] });
    expect(found).toMatchObject({ arguments: ["--port", "80"], missing: ["argument"] });
  });

  test("are named without the version, also when an image carries it as a tag", () => {
    const image = "registry.example:5000/team/server:1.2.3";
    const [found] = targets({
      packages: [npm({ registryType: "oci", identifier: image, version: undefined })],
    });
    expect(found).toMatchObject({
      key: "oci:registry.example:5000/team/server",
      version: "1.2.3",
    });
  });

  test("stand once where a listing repeats itself", () => {
    expect(targets({ packages: [npm(), npm()] })).toHaveLength(1);
  });

  test("leave out registries that the probe does not know", () => {
    expect(targets({ packages: [npm({ registryType: "cargo" })] })).toEqual([]);
  });

  test("leave out packages that do not speak over stdio", () => {
    expect(targets({ packages: [npm({ transport: { type: "streamable-http" } })] })).toEqual([]);
  });
});

async function withFiles(files: Record<string, unknown>): Promise<string> {
  const data = await dataFolder();
  for (const [path, content] of Object.entries(files)) {
    const file = join(data, "listings", path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
  }
  return data;
}

async function names(data: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name } of readListings(data)) found.push(name);
  return found;
}

describe("a folder of listings", () => {
  test("is read in the order of names", async () => {
    const data = await withFiles({
      "example.b/one.json": { ...MINIMAL, name: "example.b/one" },
      "example.a/two.json": { ...MINIMAL, name: "example.a/two" },
    });
    expect(await names(data)).toEqual(["example.a/two", "example.b/one"]);
  });

  test("may be absent", async () => {
    expect(await names("/nonexistent-probity-data")).toEqual([]);
  });

  test.each([
    ["malformed JSON", { "example.a/x.json": "{" }, "is no JSON"],
    ["a missing member", { "example.a/x.json": { name: "example.a/x" } }, "description"],
    ["a name that is not its place", { "example.a/x.json": MINIMAL }, "name and place must agree"],
    [
      "names that differ in case alone",
      {
        "example.a/X.json": { ...MINIMAL, name: "example.a/X" },
        "example.a/x.json": { ...MINIMAL, name: "example.a/x" },
      },
      "in upper and lower case alone",
    ],
  ])("with %s is refused, with its path", async (_, files, message) => {
    const data = await withFiles(files);
    await expect(names(data)).rejects.toThrow(DataError);
    await expect(names(data)).rejects.toThrow(message);
  });

  test("has a digest that changes with a listing and with nothing else", async () => {
    const one = { "example.a/x.json": { ...MINIMAL, name: "example.a/x" } };
    const other = { "example.a/x.json": { ...MINIMAL, name: "example.a/x", version: "2.0.0" } };
    const digests = await Promise.all(
      [one, one, other].map(async (files) => listDigest(await withFiles(files))),
    );
    expect(digests[0]).toBe(digests[1]);
    expect(digests[0]).not.toBe(digests[2]);
  });
});

test.each([
  ["a length that is no number", '{"length":{"toString":1}}'],
  ["nesting that overflows", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
  ["another type", "7"],
])("a listing with %s for a name is refused with its place", (_, name) => {
  const text = JSON.stringify(MINIMAL).replace(JSON.stringify(MINIMAL.name), name);
  const read = () => readJson(ServerJson, text, { path: "a/b.json" });
  expect(read).toThrow(DataError);
  expect(read).toThrow("a/b.json: ");
});

test("a listing whose variables are nested too deep is refused with its place", () => {
  const depth = 20_000;
  const variables = `${'{"a":{"variables":'.repeat(depth)}{}${"}}".repeat(depth)}`;
  const remote = `{"type":"sse","url":"https://mcp.example","variables":${variables}}`;
  const text = JSON.stringify(MINIMAL).replace(/}$/, `,"remotes":[${remote}]}`);
  const read = () => readJson(ServerJson, text, { path: "a/b.json" });
  expect(read).toThrow(DataError);
  expect(read).toThrow("a/b.json: cannot be checked");
});
