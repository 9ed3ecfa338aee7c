import { describe, expect, test } from "vitest";
import { UsageError } from "../errors.ts";
import { probe } from "./probe.ts";

const refused = (url: string, allowLoopback: boolean) =>
  probe({ words: [url], theirs: [] }, { era: "auto", transport: "auto", allowLoopback }, () => {});

describe("an address that is not public is refused before anything is sent, with or without loopback:", () => {
  test.each([
    "http://169.254.169.254/latest/meta-data",
    "https://10.0.0.1/mcp",
    "http://0.0.0.0/mcp",
    "http://0x0a000001/mcp",
    "http://[fe80::1]/mcp",
    "http://[fd00::1]/mcp",
    "http://[::ffff:192.168.0.1]/mcp",
  ])("%s", async (url) => {
    for (const allowed of [false, true]) {
      await expect(refused(url, allowed)).rejects.toThrow(UsageError);
      await expect(refused(url, allowed)).rejects.toThrow("is no public address");
    }
  });
});

test("an attempt that was given up before it began starts nothing", async () => {
  const signal = AbortSignal.abort(new Error("enough"));
  const server = { words: [], theirs: ["no-such-command-here"] };
  await expect(probe(server, { era: "auto", transport: "auto", signal }, () => {})).rejects.toThrow(
    "enough",
  );
});
