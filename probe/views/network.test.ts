import { describe, expect, test } from "vitest";
import { httpTranscript, stdioTranscript } from "../testing/transcripts.ts";
import { isLoopback, network } from "./network.ts";

describe("isLoopback", () => {
  test.each([
    "http://localhost",
    "http://localhost:3000/mcp",
    "HTTP://LOCALHOST/mcp",
    "http://app.localhost/mcp",
    "http://127.0.0.1:8080/mcp",
    "http://127.255.0.9/",
    "http://[::1]:3000/mcp",
    "http://user:word@localhost/mcp",
    "http://localhost?x=1",
    "http://localhost.:3000/mcp",
  ])("%s is the machine itself", (url) => {
    expect(isLoopback(url)).toBe(true);
  });

  test.each([
    "http://127.evil.example/mcp",
    "http://127.0.0.1.evil.example/mcp",
    "http://localhost.evil.example/mcp",
    "http://notlocalhost/mcp",
    "http://localhost@evil.example/mcp",
    "http://localhost:3000@evil.example/mcp",
    "http://evil.example/localhost",
    "http://evil.example/@localhost",
    "http://evil.example?@localhost/",
    "http://evil.example#@localhost",
    "http://x@localhost:80@evil.example/",
    "http://evil.example\\@localhost",
    "http://128.0.0.1/mcp",
    "http://[::2]/mcp",
    "localhost",
    "",
  ])("%s is not", (url) => {
    expect(isLoopback(url)).toBe(false);
  });
});

describe("network", () => {
  test("holds how a remote server was reached", () => {
    const { resolved, connected, tls, spawned, exited } = network(httpTranscript());
    expect([resolved, connected, tls].map((events) => events.map(({ ref }) => ref))).toEqual([
      [0],
      [1],
      [2],
    ]);
    expect([spawned, exited]).toEqual([undefined, undefined]);
  });

  test("holds the process behind a pipe, and how it ended", () => {
    const transcript = stdioTranscript({ answers: { initialize: { exited: 3 } } });
    const { resolved, spawned, exited } = network(transcript);
    expect(resolved).toEqual([]);
    expect(spawned).toMatchObject({ ref: 0, argv: ["node", "fixture.js"] });
    expect(exited).toMatchObject({ code: 3 });
  });
});
