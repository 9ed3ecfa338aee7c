import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Clock, systemClock } from "../clock.ts";
import { limit } from "../rules.ts";
import { recorderFor } from "../testing/recorder.ts";
import { eventsOf } from "../views/view.ts";
import { type ConnectOptions, Connector } from "./connect.ts";

async function listen(host = "127.0.0.1", port = 0): Promise<number> {
  const server = createServer((socket) => socket.resume());
  server.listen(port, host);
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

function connector(port: number, options: ConnectOptions, clock: Clock = systemClock) {
  const recorder = recorderFor(clock);
  const url = new URL(`http://named.example:${port}/mcp`);
  const made = new Connector(url, recorder, clock, { allowLoopback: true, ...options });
  onTestFinished(() => made.close());
  return { connector: made, recorder };
}

const leadsTo =
  (...addresses: readonly string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

/** A port that takes no further connection: its program is stopped and its queue is full. */
async function deafPort(): Promise<number> {
  const script = `const s = require("node:net").createServer();
    s.listen({ port: 0, host: "127.0.0.2", backlog: 1 }, () => console.log(s.address().port));`;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  const port = Number(String((await once(child.stdout, "data"))[0]));
  child.kill("SIGSTOP");
  const fillers: Socket[] = [];
  onTestFinished(() => {
    for (const filler of fillers) filler.destroy();
    child.kill("SIGKILL");
  });
  // The kernel completes handshakes on its own until the queue is full.
  for (;;) {
    const filler = connect({ port, host: "127.0.0.2" }).on("error", () => {});
    fillers.push(filler);
    const full = Symbol("full");
    const opened = once(filler, "connect");
    const patience = new Promise((resolve) => setTimeout(resolve, 500, full));
    if ((await Promise.race([opened, patience])) === full) return port;
  }
}

describe("a host with several addresses", () => {
  test("is reached although one of them is silent, and the next time without that one", async () => {
    const port = await deafPort();
    await listen("127.0.0.1", port);
    const { connector: dialler, recorder } = connector(port, {
      resolve: leadsTo("127.0.0.2", "127.0.0.1"),
    });
    expect(await dialler.connect()).toMatchObject({ remoteAddress: "127.0.0.1" });
    const [first] = eventsOf(recorder.events, "connected");
    expect(first).toMatchObject({ address: "127.0.0.1" });
    expect(first!.at).toBeGreaterThanOrEqual(limit("connect-stagger") - 5);
    expect(first!.at).toBeLessThan(5000);
    const before = recorder.events.length;
    await dialler.connect();
    const again = eventsOf(recorder.events.slice(before), "connected");
    expect(again.filter(({ fault }) => !fault).map(({ address }) => address)).toEqual([
      "127.0.0.1",
    ]);
    const faults = eventsOf(recorder.events, "connected").flatMap(({ fault }) => fault ?? []);
    expect(faults).toEqual([{ code: "ECANCELED", message: "another address was faster" }]);
  });

  test("is dialled in both families by turns, the resolver's first choice first", async () => {
    const { connector: dialler, recorder } = connector(1, {
      resolve: leadsTo("::1", "::1", "127.0.0.1", "127.0.0.2"),
    });
    expect(await dialler.connect()).toBeUndefined();
    const dialled = eventsOf(recorder.events, "connected").map(({ address }) => address);
    expect(dialled).toEqual(["::1", "127.0.0.1", "127.0.0.2"]);
  });

  test("is looked up once for all its connections", async () => {
    const port = await listen();
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      // A name that leads elsewhere the second time is how a guard is fooled.
      return [{ address: asked === 1 ? "127.0.0.1" : "10.0.0.5", family: 4 }];
    };
    const { connector: dialler } = connector(port, { resolve });
    await dialler.connect();
    expect(await dialler.connect()).toMatchObject({ remoteAddress: "127.0.0.1" });
    expect(asked).toBe(1);
  });
});

test("a resolver that never answers has failed after its time", async () => {
  const timers: (() => void)[] = [];
  const clock: Clock = {
    now: () => 0,
    after(ms, act) {
      expect(ms).toBe(limit("resolve"));
      timers.push(act);
      return () => {};
    },
  };
  const { connector: dialler, recorder } = connector(
    1,
    { resolve: () => new Promise(() => {}) },
    clock,
  );
  const connected = dialler.connect();
  timers[0]!();
  expect(await connected).toBeUndefined();
  expect(recorder.events).toMatchObject([{ type: "resolved", fault: { code: "ETIMEOUT" } }]);
});

test("a connector that is closed while it connects writes nothing more, and leaves nothing", async () => {
  const port = await listen();
  const { connector: dialler, recorder } = connector(port, { resolve: leadsTo("127.0.0.1") });
  const connected = dialler.connect();
  dialler.close();
  expect(await connected).toBeUndefined();
  expect(recorder.events).toEqual([]);
});
