import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { generate } from "selfsigned";
import { describe, expect, onTestFinished, test } from "vitest";
import { UsageError } from "../errors.ts";
import { controlEndpoints, controlPackages, type Endpoint } from "../rules.ts";
import { prepareTrusted } from "../sandbox/trusted.ts";
import { ManualClock } from "../testing/manual-clock.ts";
import {
  httpTranscript,
  packageTranscript,
  remoteTarget,
  stdioTranscript,
} from "../testing/transcripts.ts";
import type { Event, Transcript } from "../transcript/schema.ts";
import { type Capability, Control, holds } from "./control.ts";
import { Controls, type ControlsOptions } from "./controls.ts";

const FAULT = { code: "ECONNREFUSED", message: "refused" };
const HOST = "known.example";

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const open = () => listen(createServer((socket) => socket.end()));

/** A port on which nobody listens. */
async function closed(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function secure() {
  const pem = await generate([{ name: "commonName", value: HOST }], {
    keyType: "ec",
    extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: HOST }] }],
  });
  const server = createTlsServer({ key: pem.private, cert: pem.cert }, (socket) => socket.end());
  server.on("tlsClientError", () => {});
  return { port: await listen(server), ca: pem.cert };
}

const endpoint = (capability: Endpoint["capability"], host: string, port: number | null) => ({
  capability,
  host,
  port,
});

function controlsWith(options: Partial<ControlsOptions> = {}, clock = new ManualClock()) {
  const prepare: ControlsOptions["prepare"] = (target) => prepareTrusted(target);
  return new Controls({ clock, prepare, allowLoopback: true, endpoints: [], ...options });
}

const startedNow = (transcript: Transcript): Transcript => ({
  ...transcript,
  startedAt: "2026-11-30T12:00:00.000Z",
});
const reached = (url: string, ...events: readonly Event[]): Transcript =>
  startedNow({ ...httpTranscript(), target: remoteTarget(url), events: [...events] });

const resolvedTo = (address: string): Event => ({
  type: "resolved",
  at: 1,
  host: HOST,
  addresses: [{ address, family: 4, allowed: true }],
});
const connected = (address: string, fault?: typeof FAULT): Event => ({
  type: "connected",
  at: 2,
  connection: 1,
  address,
  port: 443,
  took: 1,
  ...(fault && { fault }),
});

const UNRESOLVED = reached("https://x.example", {
  type: "resolved",
  at: 1,
  host: "x.example",
  addresses: [],
  fault: { code: "EAI_AGAIN", message: "" },
});
const REFUSED = reached(
  "https://x.example",
  resolvedTo("203.0.113.7"),
  connected("203.0.113.7", FAULT),
);
const UNANSWERED = startedNow(httpTranscript({ answers: { initialize: { timedOut: 10_000 } } }));
const LOOPBACK = reached(
  "http://127.0.0.1:9/mcp",
  resolvedTo("127.0.0.1"),
  connected("127.0.0.1", FAULT),
);
const UNINSTALLED = startedNow(packageTranscript({ fault: FAULT }));
const EXITED = startedNow(stdioTranscript({ answers: { initialize: { exited: 1 } } }));

/** What one attempt has measured: capability, answers, and whether that is enough. */
async function measured(transcript: Transcript, options: Partial<ControlsOptions>) {
  const controls = controlsWith(options);
  await controls.around(transcript);
  return controls.made.map((control) => {
    const said = Control.parse(control);
    const codes = said.endpoints.map(({ fault }) => fault?.code ?? "ok");
    return [said.capability, codes, holds(said)] as const;
  });
}

describe("a control of", () => {
  test("names asks for several, and more than half decide", async () => {
    const endpoints = ["a", "b", "c"].map((host) => endpoint("dns", `${host}.example`, null));
    const knowing = (...known: readonly string[]) => ({
      endpoints,
      allowLoopback: false,
      resolve: (host: string) =>
        known.includes(host[0]!)
          ? Promise.resolve([
              { address: "198.51.100.1", family: 4 },
              { address: "93.184.216.34", family: 4 },
            ])
          : Promise.reject(Object.assign(new Error("again"), { code: "EAI_AGAIN" })),
    });
    expect(await measured(UNRESOLVED, knowing("a", "b"))).toEqual([
      ["dns", ["ok", "ok", "EAI_AGAIN"], true],
    ]);
    expect(await measured(UNRESOLVED, knowing("a"))).toEqual([
      ["dns", ["ok", "EAI_AGAIN", "EAI_AGAIN"], false],
    ]);
  });

  test("names does not believe a resolver that leads every name astray", async () => {
    const options = {
      endpoints: [endpoint("dns", "a.example", null)],
      allowLoopback: false,
      resolve: async () => [{ address: "10.0.0.1", family: 4 }],
    };
    expect(await measured(UNRESOLVED, options)).toEqual([["dns", ["NOT_PUBLIC"], false]]);
  });

  test("connections opens some, and only those of the family that was tried", async () => {
    const [good, bad] = [await open(), await closed()];
    const at = (...ports: readonly number[]) => [
      ...ports.map((port) => endpoint("ipv4", "127.0.0.1", port)),
      endpoint("ipv6", "::1", bad),
    ];
    expect(await measured(REFUSED, { endpoints: at(good, good, bad) })).toEqual([
      ["ipv4", ["ok", "ok", "ECONNREFUSED"], true],
    ]);
    expect(await measured(REFUSED, { endpoints: at(good, bad) })).toEqual([
      ["ipv4", ["ok", "ECONNREFUSED"], false],
    ]);
  });

  test("TLS shakes hands, and a certificate must be valid", async () => {
    const { port, ca } = await secure();
    const options = {
      endpoints: [endpoint("tls", HOST, port)],
      resolve: async () => [{ address: "127.0.0.1", family: 4 }],
    };
    expect(await measured(UNANSWERED, { ...options, ca })).toEqual([["tls", ["ok"], true]]);
    expect(await measured(UNANSWERED, options)).toEqual([
      ["tls", ["DEPTH_ZERO_SELF_SIGNED_CERT"], false],
    ]);
  });

  test("this machine needs nothing of the outside", async () => {
    const [control] = await measured(LOOPBACK, {
      endpoints: [],
      resolve: () => Promise.reject(new Error("no network here")),
    });
    expect([control?.[0], control?.[2]]).toEqual(["loopback", true]);
  });

  test("the sandbox starts our own server as any other", async () => {
    expect(await measured(EXITED, {})).toEqual([["sandbox", ["ok"], true]]);
  });

  test("the registry asks for several packages that are always there, and more than half decide", async () => {
    const [first, ...rest] = controlPackages;
    const answering = (...known: readonly string[]) => ({
      askRegistry: async (name: string) => (known.includes(name) ? undefined : FAULT),
    });
    const faults = rest.map(() => "ECONNREFUSED");
    expect(await measured(UNINSTALLED, answering(first!))).toEqual([
      ["registry", ["ok", ...faults], false],
    ]);
    expect(await measured(UNINSTALLED, answering(...rest))).toEqual([
      ["registry", ["ECONNREFUSED", ...rest.map(() => "ok")], true],
    ]);
  });

  test.each<[string, ControlsOptions["prepare"], string]>([
    [
      "does not start",
      async (target) => {
        const { launch, cleanup } = await prepareTrusted(target);
        return { launch: { ...launch!, argv: ["/no/such/program"] }, cleanup };
      },
      "ENOENT",
    ],
    [
      "ends at once",
      async (target) => {
        const { launch, cleanup } = await prepareTrusted(target);
        return { launch: { ...launch!, argv: [process.execPath, "-e", ""] }, cleanup };
      },
      "NO_ANSWER",
    ],
    ["cannot be made ready", () => Promise.reject(new UsageError("no sandbox")), "UsageError"],
  ])("the sandbox fails where our own server %s", async (_, prepare, code) => {
    const [control] = await measured(EXITED, { prepare });
    expect(control?.[0]).toBe("sandbox");
    expect(control?.[2]).toBe(false);
    // A process that ended may be met while it is written to.
    expect([code, "EPIPE"]).toContain(control?.[1][0]);
  });

  test("what has no endpoint is not made", async () => {
    expect(await measured(REFUSED, { endpoints: [] })).toEqual([]);
  });
});

test("an endpoint that hangs is given up in time", async () => {
  const clock = new ManualClock();
  const endpoints = [endpoint("dns", "a.example", null)];
  const controls = controlsWith({ endpoints, resolve: () => new Promise(() => {}) }, clock);
  const done = controls.around(UNRESOLVED);
  clock.advance(10_000);
  await done;
  expect(controls.made).toMatchObject([
    { took: 10_000, endpoints: [{ fault: { code: "ETIMEDOUT" } }] },
  ]);
});

describe("controls are", () => {
  test.each<[string, Transcript]>([
    ["a healthy server", startedNow(httpTranscript())],
    ["a healthy program", startedNow(stdioTranscript())],
    ["a login", startedNow(httpTranscript({ answers: { initialize: { raw: "", status: 401 } } }))],
  ])("not made for %s", async (_, transcript) => {
    expect(await measured(transcript, { endpoints: controlEndpoints })).toEqual([]);
  });

  test("shared by attempts that end together, and made again for a later one", async () => {
    const clock = new ManualClock();
    const endpoints = [endpoint("ipv4", "127.0.0.1", await open())];
    const controls = controlsWith({ endpoints }, clock);
    await Promise.all([controls.around(REFUSED), controls.around(REFUSED)]);
    clock.advance(9_000);
    const ending = () => ({ ...REFUSED, startedAt: new Date(clock.now()).toISOString() });
    await controls.around(ending());
    expect(controls.made).toHaveLength(1);
    clock.advance(9_000);
    await controls.around(ending());
    expect(controls.made.map(({ at }) => at.slice(11, 19))).toEqual(["12:00:00", "12:00:18"]);
  });
});

describe("the public list", () => {
  test("has an odd number of packages, three at least", () => {
    expect(controlPackages.length).toBeGreaterThanOrEqual(3);
    expect(controlPackages.length % 2).toBe(1);
    expect(new Set(controlPackages).size).toBe(controlPackages.length);
  });

  test.each<[Capability]>([["dns"], ["ipv4"], ["ipv6"], ["tls"]])(
    "has an odd number of independent endpoints for %s, three at least",
    (capability) => {
      const own = controlEndpoints.filter((one) => one.capability === capability);
      expect(own.length).toBeGreaterThanOrEqual(3);
      expect(own.length % 2).toBe(1);
      expect(new Set(own.map(({ host }) => host)).size).toBe(own.length);
      expect(own.every(({ port }) => (port === null) === (capability === "dns"))).toBe(true);
    },
  );
});
