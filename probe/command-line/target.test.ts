import { describe, expect, test } from "vitest";
import { UsageError } from "../errors.ts";
import { parseTarget } from "./target.ts";

const parse = (words: string[], theirs: string[] = []) => parseTarget({ words, theirs });

describe("a target", () => {
  test("is a remote when a URL was named", async () => {
    expect(await parse(["https://mcp.example/mcp#top"])).toMatchObject({
      kind: "remote",
      key: "https://mcp.example/mcp",
    });
  });

  test("is a package when npm: was named, with arguments from both sides of --", async () => {
    expect(await parse(["npm:@scope/name@1.2.3", "a"], ["--flag"])).toMatchObject({
      kind: "package",
      key: "npm:@scope/name",
      version: "1.2.3",
      arguments: ["a", "--flag"],
    });
  });

  test("is a command when only -- was used", async () => {
    expect(await parse([], ["node", "server.js"])).toMatchObject({
      kind: "command",
      argv: ["node", "server.js"],
    });
  });
});

describe("bad input is refused with what to do", () => {
  test.each([
    ["nothing", [], [], "No server was named"],
    ["an unknown scheme", ["ftp://mcp.example"], [], 'Unknown scheme "ftp:"'],
    ["a bare word", ["server"], [], '"server" is no URL'],
    ["a broken URL", ["https://"], [], "is not a valid URL"],
    ["credentials in the URL", ["https://a:b@mcp.example"], [], "never sends credentials"],
    ["arguments behind a URL", ["https://mcp.example", "x"], [], "takes no arguments"],
    ["a broken package name", ["npm:@@"], [], "names no npm package"],
  ])("%s", async (_, words, theirs, message) => {
    await expect(parse(words, theirs)).rejects.toThrow(UsageError);
    await expect(parse(words, theirs)).rejects.toThrow(message);
  });
});
