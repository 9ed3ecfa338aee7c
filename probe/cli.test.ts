/** The command line as a person uses it: in a process of its own. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { checks } from "./checks/index.ts";
import { Observation } from "./observation.ts";
import { isRunning } from "./store/lock.ts";
import { serveMcp, type Asked, type Reply } from "./testing/servers/mcp.ts";
import { serveRegistry } from "./testing/servers/registry.ts";
import { serveSse } from "./testing/servers/sse.ts";
import { httpTranscript } from "./testing/transcripts.ts";
import { Transcript } from "./transcript/schema.ts";

const BIN = join(import.meta.dirname, "bin.js");
const ESCAPE = "\u001b";

interface Result {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function probity(
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<Result> {
  const env = { ...process.env, NO_COLOR: "1", ...environment };
  return new Promise((resolve) => {
    execFile(process.execPath, [BIN, ...args], { env }, (error, out, err) => {
      resolve({ code: typeof error?.code === "number" ? error.code : 0, out, err });
    });
  });
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "probity-cli-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

async function serve(answer?: (asked: Asked) => Reply | undefined): Promise<string> {
  const server = await serveMcp(answer);
  onTestFinished(() => server.stop());
  return server.url;
}

async function recorded(transcript = httpTranscript()): Promise<string> {
  const file = join(await folder(), "t.json");
  await writeFile(file, JSON.stringify(z.encode(Transcript, transcript)));
  return file;
}

describe("probity check", () => {
  test("a server is asked over the transport that was named, and no other", async () => {
    const server = await serveSse({ path: "/mcp" });
    onTestFinished(() => server.stop());
    const options = ["--allow-loopback", "--transport", "sse"];
    const { code, out } = await probity(["check", server.url, ...options]);
    expect(out).toContain("HTTP+SSE");
    expect([code, server.requests[0]]).toEqual([0, "GET /mcp"]);
  });

  test("of a healthy server says so, and exits with 0", async () => {
    const { code, out } = await probity(["check", await serve(), "--allow-loopback"]);
    expect(out).toMatch(/^ALIVE/m);
    expect(out).toMatch(/✓ L1\.unknown_method/);
    expect(code).toBe(0);
  });

  test("of a faulty one says what, why, what to do and where to read on, and exits with 1", async () => {
    const url = await serve(({ method }) =>
      method === "probe/unknown-method" ? { error: { code: -32000, message: "no" } } : undefined,
    );
    const { code, out } = await probity(["check", url, "--allow-loopback"]);
    expect(out).toMatch(/^DEGRADED/m);
    expect(out).toMatch(/✗ L1\.unknown_method/);
    expect(out).toMatch(/why .*\n[^]*to do .*\n[^]*\/checks\/L1\.unknown_method$/m);
    expect(code).toBe(1);
  });

  test("of one behind a login cannot tell, and exits with 3", async () => {
    const url = await serve(() => ({ status: 401 }));
    const { code, out } = await probity(["check", url, "--allow-loopback"]);
    expect(out).toMatch(/^UNVERIFIABLE/m);
    expect(code).toBe(3);
  });

  test("prints the stored shape with --json, and progress on standard error alone", async () => {
    const { out, err } = await probity(["check", await serve(), "--allow-loopback", "--json"]);
    expect(Observation.safeParse(JSON.parse(out)).success).toBe(true);
    expect(err).toContain("asking: initialize");
  });

  test("with --attempts asks what is settled only once", async () => {
    const url = await serve(() => ({ status: 401 }));
    const { code, out } = await probity([
      ...["check", url, "--allow-loopback"],
      ...["--attempts", "3", "--json"],
    ]);
    expect(Observation.parse(JSON.parse(out)).attempts).toHaveLength(1);
    expect(code).toBe(3);
  });

  test("with --attempts says when it tries again what failed, and without it does not wait", async () => {
    const url = await serve(() => ({ status: 502 }));
    expect((await probity(["check", url, "--allow-loopback"])).code).toBe(1);
    const child = execFile(process.execPath, [
      ...[BIN, "check", url, "--allow-loopback"],
      ...["--attempts", "2"],
    ]);
    onTestFinished(() => void child.kill());
    const said = await new Promise<string>((resolve) => {
      let err = "";
      child.stderr!.on("data", (chunk: string) => {
        err += chunk;
        if (err.includes(" again at ")) resolve(err);
      });
      child.once("exit", () => resolve(err));
    });
    expect(said).toMatch(/trying http:\/\/127\.0\.0\.1:\d+\/mcp again at \d\d:\d\d:\d\d/);
  });

  test("runs a command behind --, whatever flags it takes", async () => {
    const script = "process.exit(process.argv[1] === '--json' ? 7 : 8)";
    const { out, code } = await probity([
      "check",
      "--",
      process.execPath,
      "-e",
      script,
      "--",
      "--json",
    ]);
    expect(out).toContain("exit code 7");
    expect(code).toBe(1);
  });

  test("runs a command where its user stands, with the variables that were given and no others", async () => {
    const script =
      "console.error(process.cwd(), process.env.GIVEN, process.env.SECRET); process.exit(1)";
    const { out } = await probity(
      ["check", "--env", "GIVEN=a=b", "--", process.execPath, "-e", script],
      { SECRET: "do-not-leak" },
    );
    expect(out).toContain(`stderr ${process.cwd()} a=b undefined`);
  });

  test("shows what a process said last, when it ended", async () => {
    const script = "console.error('Error: the map is torn'); process.exit(1)";
    const { out } = await probity(["check", "--", process.execPath, "-e", script]);
    expect(out).toMatch(/✗ L0\.initialize[^]*stderr Error: the map is torn/);
    // Whatever checks there are: all but these three need an opening.
    const rest = checks.length - ["L0.reachable", "L0.tls", "L0.initialize"].length;
    expect(out).toContain(`○ ${rest} not reached`);
  });

  test("lets no text of a server reach the terminal as it is", async () => {
    const name = `${ESCAPE}]0;PWNED\u0007${ESCAPE}[2J`;
    const url = await serve(({ method }) =>
      method === "initialize"
        ? {
            result: {
              protocolVersion: "2025-11-25",
              capabilities: {},
              serverInfo: { name, version: "1\n::set-env name=A::b" },
            },
          }
        : undefined,
    );
    const { out, err } = await probity(["check", url, "--allow-loopback"]);
    expect(out + err).not.toContain(ESCAPE);
    expect(out + err).not.toMatch(/^::/m);
    expect(out).toContain("\\u{1b}");
  });
});

describe("the words of a report", () => {
  test("a host that was not found is not called found", async () => {
    const { err } = await probity(["check", "https://no-such-host.invalid/mcp"]);
    expect(err).toContain("did not find no-such-host.invalid");
    expect(err).not.toMatch(/^found/m);
  });

  test("everything that a process said is shown, and made visible", async () => {
    const script =
      "console.error('first\\nsecond'); setTimeout(() => { console.error('last\\u001b[2J'); process.exit(1); }, 50)";
    const { out } = await probity(["check", "--", process.execPath, "-e", script]);
    expect(out.match(/stderr .*/g)).toEqual([
      "stderr first",
      "stderr second",
      "stderr last\\u{1b}[2J",
    ]);
  });

  test("what passed is counted once", async () => {
    const { out } = await probity(["check", await serve(), "--allow-loopback"]);
    expect(out.match(/checks that ran/g)).toHaveLength(1);
  });

  test("one check does not do what many do", async () => {
    const argv = ["check", "--", process.execPath, "-e", "process.exit(1)"];
    const { out } = await probity(argv);
    expect(out).toMatch(/^1 of 2 checks that ran passed, 1 does not apply, \d+ untested\.$/m);
  });
});

describe("a command that is told to end", () => {
  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)(
    "by %s ends what it started, writes nothing, and exits with %i",
    async (signal, code) => {
      const path = await folder();
      const stubborn =
        "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); require('node:fs').writeFileSync(process.argv[1], String(process.pid))";
      const pid = join(path, "pid");
      const argv = [
        "record",
        "-o",
        join(path, "t.json"),
        "--",
        process.execPath,
        "-e",
        stubborn,
        pid,
      ];
      const child = spawn(process.execPath, [BIN, ...argv], {
        stdio: ["ignore", "pipe", "ignore"],
      });
      const ended = once(child, "exit");
      const text = () => readFile(pid, "utf8").catch(() => "");
      await expect.poll(text, { timeout: 10_000 }).not.toBe("");
      child.kill(signal);
      expect(await ended).toEqual([code, null]);
      expect(isRunning(Number(await text()))).toBe(false);
      expect(await readdir(path)).toEqual(["pid"]);
    },
    20_000,
  );
});

describe("probity record and judge", () => {
  test("are the two halves of a check, and judging twice gives the same bytes", async () => {
    const file = join(await folder(), "t.json");
    const url = await serve();
    const record = await probity(["record", "-o", file, url, "--allow-loopback"]);
    expect(record).toMatchObject({ code: 0, out: "" });
    const [first, second] = [
      await probity(["judge", file, "--json"]),
      await probity(["judge", file, "--json"]),
    ];
    expect(first.out).toBe(second.out);
    expect(first.code).toBe(0);
  });

  test("judge reads the attempts of JSON Lines as one observation", async () => {
    const file = join(await folder(), "t.jsonl");
    const lines = [1, 2].map((attempt) =>
      JSON.stringify(z.encode(Transcript, { ...httpTranscript(), attempt })),
    );
    await writeFile(file, lines.join("\n"));
    const { out } = await probity(["judge", file, "--json"]);
    expect(Observation.parse(JSON.parse(out)).attempts).toHaveLength(2);
  });
});

describe("bad input is one line that says what to do, exits with 2 and leaves nothing behind:", () => {
  const wrong = async (
    args: readonly string[],
    message: string | RegExp,
    environment: Record<string, string> = {},
  ) => {
    const { code, out, err } = await probity(args, environment);
    expect(err.trim().split("\n").at(-1)).toMatch(message);
    expect(err).not.toMatch(/^\s+at /m);
    expect({ code, out }).toEqual({ code: 2, out: "" });
  };

  test("an unknown scheme", async () => {
    const { code, err } = await probity(["check", "ftp://mcp.example"]);
    expect(err).toMatch(/^probity: Unknown scheme "ftp:"/);
    expect(code).toBe(2);
  });

  test("an address of this machine without being asked for", () =>
    wrong(["check", "http://localhost:1/mcp"], /add --allow-loopback/));

  test("an address that is not public", () =>
    wrong(["check", "http://169.254.169.254/", "--allow-loopback"], /is no public address/));

  test("a variable for a URL, which has no process", () =>
    wrong(["check", "--env", "NAME=value", "https://mcp.example/mcp"], /a URL names none/));

  test("a host that does not exist", () =>
    wrong(["check", "https://no-such-host.invalid/mcp"], /no-such-host\.invalid cannot be found/));

  test("a package without trust", () =>
    wrong(["check", "npm:some-package@1.0.0"], /without a sandbox.*add --trust/));

  test.each([
    ["a package that is not there", "npm:no-such-package", /no-such-package@latest.*E404.*name/],
    ["a version that is not there", "npm:here@9.9.9", /here@9\.9\.9.*E404.*Check the name/],
  ])(
    "%s",
    async (_, spec, words) => {
      const registry = await serveRegistry([{ name: "here", version: "1.0.0" }]);
      onTestFinished(() => registry.stop());
      const environment = { npm_config_registry: registry.url, npm_config_cache: await folder() };
      await wrong(["check", spec, "--trust"], words, environment);
    },
    30_000,
  );

  test("a command that is not there", () =>
    wrong(["check", "--", "no-such-command-here"], /cannot be started \(ENOENT\)/));

  test("a transport for a process", () =>
    wrong(["check", "--transport", "sse", "--", "x"], /--transport is for URLs/));

  test("the older transport in the newer era", () =>
    wrong(
      ["check", "https://mcp.example/sse", "--transport", "sse", "--era", "modern"],
      /knows no HTTP\+SSE/,
    ));

  test("a variable without a value", () =>
    wrong(["check", "--env", "NAME", "--", "x"], /Write --env NAME=VALUE/));

  test("a missing transcript", () => wrong(["judge", "/no/such/file"], /does not exist/));

  test("a folder in place of one", () => wrong(["judge", tmpdir()], /is a folder/));

  test("malformed JSON", async () => {
    const file = join(await folder(), "broken.json");
    await writeFile(file, '{"format":');
    await wrong(["judge", file], /is not JSON/);
  });

  test("JSON that is no transcript", async () => {
    const file = join(await folder(), "other.json");
    await writeFile(file, '{"format":"other"}');
    await wrong(["judge", file], /is not a transcript: .* at /);
  });

  test("a folder that is not there", () =>
    wrong(["record", "-o", "/no/such/folder/t.json", "https://mcp.example"], /is not a folder/));

  test("a file that exists, which stays as it is", async () => {
    const file = await recorded();
    const before = await readFile(file, "utf8");
    await wrong(["record", "-o", file, "https://mcp.example"], /never overwritten/);
    expect(await readFile(file, "utf8")).toBe(before);
  });

  test("a record of a host that does not exist writes nothing", async () => {
    const path = await folder();
    await wrong(
      ["record", "-o", join(path, "t.json"), "https://no-such-host.invalid"],
      /cannot be found/,
    );
    expect(await readdir(path)).toEqual([]);
  });

  test("an unknown option", async () => {
    const { code, err } = await probity(["check", "--frobnicate"]);
    expect(err).toMatch(/^probity: unknown option '--frobnicate'/);
    expect(code).toBe(2);
  });

  test("an unknown verb", async () => {
    expect(await probity(["frobnicate"])).toMatchObject({ code: 2 });
  });
});

test("--help and --version are no mistakes", async () => {
  expect(await probity(["--help"])).toMatchObject({ code: 0 });
  expect((await probity(["--version"])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
});
