import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import initialize from "../checks/L0.initialize.ts";
import { inShort, probeAndJudge, serve } from "../testing/judged.ts";
import { systemClock } from "../clock.ts";
import { recorderFor } from "../testing/recorder.ts";
import { answerHealthily } from "../testing/servers/http.ts";
import { exchanges } from "../views/exchanges.ts";
import { eventsOf } from "../views/view.ts";
import { redirectOf } from "./next-hop.ts";
import { StreamableHttp } from "./streamable-http.ts";

/** A round trip of our own: what was sent to that server before it has arrived when it is over. */
async function fetchOnce(origin: string): Promise<void> {
  const [response] = (await once(get(origin), "response")) as [IncomingMessage];
  response.resume();
  await once(response, "end");
}

const sentTo = (transcript: Parameters<typeof exchanges>[0]) =>
  eventsOf(transcript.events, "sent").map(({ http }) => new URL(http!.url).pathname);

describe("where a redirect leads", () => {
  const from = new URL("https://mcp.example/a/mcp?x=1");
  test.each([
    [307, "/mcp/", "https://mcp.example/mcp/"],
    [308, "other", "https://mcp.example/a/other"],
    [308, "//other.example/mcp", "https://other.example/mcp"],
    [307, "https://user:word@other.example/mcp#part", "https://other.example/mcp"],
    [307, "?y=2", "https://mcp.example/a/mcp?y=2"],
  ])("%i to %s is followed", (status, location, to) => {
    expect(redirectOf(status, location, from, 0)).toEqual({ to: new URL(to) });
  });

  test.each([
    ["drops TLS", "http://mcp.example/mcp/", 0, "REDIRECT_DOWNGRADE"],
    ["comes after three others", "/mcp/", 3, "REDIRECT_LIMIT"],
    ["is no address", "https://", 0, "REDIRECT_LOCATION"],
    ["is missing", undefined, 0, "REDIRECT_LOCATION"],
    ["is a file", "file:///etc/passwd", 0, "REDIRECT_LOCATION"],
    ["is a script", "javascript:alert(1)", 0, "REDIRECT_LOCATION"],
  ])("one that %s is not", (_, location, followed, code) => {
    expect(redirectOf(308, location, from, followed)).toMatchObject({ fault: { code } });
  });

  test("from http to http and to https it is followed", () => {
    const plain = new URL("http://mcp.example/mcp");
    expect(redirectOf(308, "https://mcp.example/mcp", plain, 0)).toHaveProperty("to");
    expect(redirectOf(308, "/mcp/", plain, 2)).toHaveProperty("to");
  });

  test.each([200, 300, 301, 302, 303, 304, 401])("%i is no redirect to follow", (status) => {
    expect(redirectOf(status, "/mcp/", from, 0)).toBeUndefined();
  });
});

test("a server behind a trailing slash is asked there with the same method, body and session", async () => {
  const server = await serve((one, response) => {
    if (one.path === "/mcp") response.writeHead(307, { location: "/mcp/" }).end("moved");
    else if (one.message["method"] !== "initialize") answerHealthily(one, response);
    else {
      response.setHeader("mcp-session-id", "s1");
      answerHealthily(one, response);
    }
  });
  const { transcript, failed, outcomes, facts } = await probeAndJudge(`${server.origin}/mcp`);
  expect(failed).toEqual([]);
  expect(outcomes.get("L1.unknown_method")).toBe("passed");
  expect(inShort(server.arrived)).toEqual(
    ["initialize", "notifications/initialized", "tools/list", "probe/unknown-method"]
      .flatMap((method) => [`POST /mcp ${method}`, `POST /mcp/ ${method}`])
      .concat("DELETE /mcp", "DELETE /mcp/"),
  );
  for (let i = 0; i < server.arrived.length; i += 2) {
    expect(server.arrived[i + 1]!.body).toBe(server.arrived[i]!.body);
  }
  const sessions = server.arrived.slice(2).map(({ headers }) => headers["mcp-session-id"]);
  expect(new Set(sessions)).toEqual(new Set(["s1"]));
  expect(facts["redirects"]).toEqual({ status: 307, to: null, hops: 1 });
  // Both hops are one exchange.
  expect(exchanges(transcript).map(({ hops }) => hops.length)).toEqual([2, 2, 2, 2, 2]);
});

test("a loop ends after three hops and is the server's fault", async () => {
  const server = await serve((_, response) => response.writeHead(308, { location: "/mcp" }).end());
  const { transcript, reasons, because, outcomes } = await probeAndJudge(`${server.origin}/mcp`);
  expect(sentTo(transcript)).toEqual(["/mcp", "/mcp", "/mcp", "/mcp"]);
  expect(outcomes.get("L0.initialize")).toBe("failed");
  expect(reasons.get("L0.initialize")).toBe("redirect-not-followed");
  expect(because.get("L0.initialize")).toContain("may be a loop");
});

test("a redirect that never ends its body is followed all the same", async () => {
  const server = await serve((one, response) => {
    if (one.path !== "/mcp") return answerHealthily(one, response);
    response.writeHead(308, { location: "/there" });
    response.write("moved, and more to");
  });
  const { failed } = await probeAndJudge(`${server.origin}/mcp`, { kind: "liveness" });
  expect(failed).toEqual([]);
});

test.each([301, 302, 303])("a %i that answers a POST is not followed", async (status) => {
  const server = await serve((_, response) => response.writeHead(status, { location: "/x" }).end());
  const { because, outcomes } = await probeAndJudge(`${server.origin}/mcp`);
  expect(inShort(server.arrived)).toEqual(["POST /mcp initialize"]);
  expect(outcomes.get("L0.initialize")).toBe("failed");
  expect(because.get("L0.initialize")).toContain(`HTTP ${status} to "/x"`);
});

describe("another origin", () => {
  test("is asked, recorded as a fact, and gets only the session id that it gave out", async () => {
    const other = await serve((one, response) => {
      if (one.message["method"] === "initialize") response.setHeader("mcp-session-id", "other-1");
      answerHealthily(one, response);
    });
    const listed = await serve((_, response) =>
      response
        .writeHead(308, { location: `${other.origin}/moved`, "mcp-session-id": "listed-1" })
        .end(),
    );
    const { failed, facts, transcript } = await probeAndJudge(`${listed.origin}/mcp`);
    expect(failed).toEqual([]);
    expect(facts["redirects"]).toEqual({ status: 308, to: other.origin, hops: 1 });
    expect(listed.arrived.map(({ headers }) => headers["mcp-session-id"])).toEqual(
      listed.arrived.map(() => undefined),
    );
    expect(other.arrived.slice(1).map(({ headers }) => headers["mcp-session-id"])).toEqual(
      other.arrived.slice(1).map(() => "other-1"),
    );
    expect(other.arrived[0]!.headers.host).toBe(`127.0.0.1:${other.port}`);
    // Its name and its connection are on record before the message that goes there.
    const types = transcript.events.map(({ type }) => type);
    const second = types.indexOf("sent", types.indexOf("sent") + 1);
    expect(types.slice(0, second).filter((type) => type === "resolved")).toHaveLength(2);
  });

  test.each([
    ["whose name leads to a private address", "http://internal.example/", ["10.0.0.5"]],
    ["that is cloud metadata", "http://169.254.169.254/latest/", []],
    ["that is metadata as a number", "http://2852039166/", []],
  ])("%s is never dialled", async (_, location, addresses) => {
    const listed = await serve((_one, response) => response.writeHead(308, { location }).end());
    const { transcript } = await probeAndJudge(`http://listed.example:${listed.port}/mcp`, {
      resolve: async (host) =>
        (host === "listed.example" ? ["127.0.0.1"] : addresses).map((address) => ({
          address,
          family: 4,
        })),
    });
    expect(initialize.run(transcript)).toMatchObject({
      outcome: "failed",
      reason: "redirect-not-followed",
      because: expect.stringContaining("no connection could be made there"),
    });
    const dialled = eventsOf(transcript.events, "connected").map(({ address }) => address);
    expect(dialled).toEqual(["127.0.0.1"]);
    const [, hop] = eventsOf(transcript.events, "resolved");
    expect(hop!.addresses.every(({ allowed }) => !allowed)).toBe(true);
    expect(eventsOf(transcript.events, "broke")).toMatchObject([
      { exchange: 1, fault: { code: "REDIRECT_UNREACHABLE" } },
    ]);
  });
});

describe("nobody is asked any more", () => {
  const MESSAGE = { purpose: "list", body: '{"id":1}', headers: {} } as const;

  /** Two servers, the first of which sends to the second; `when` acts as soon as it did. */
  async function redirected(when: (transport: StreamableHttp, exchange: number) => void) {
    const other = await serve(answerHealthily);
    const location = `${other.origin}/moved`;
    const listed = await serve((_, response) => response.writeHead(308, { location }).end());
    const recorder = recorderFor(systemClock);
    const options = { allowLoopback: true };
    const transport = new StreamableHttp(`${listed.origin}/mcp`, recorder, systemClock, options);
    onTestFinished(() => transport.close());
    await transport.open();
    const over = new Promise<void>((resolve) => {
      recorder.listen((event) => {
        if (event.type !== "ended") return;
        when(transport, event.channel as number);
        resolve();
      });
    });
    transport.send(MESSAGE);
    await over;
    const count = recorder.events.length;
    // Whatever was still under way has its turn.
    await fetchOnce(other.origin);
    return { other, recorder, later: recorder.events.slice(count) };
  }

  test("when the transport is closed between two hops", async () => {
    const { other, later } = await redirected((transport) => void transport.close());
    expect(inShort(other.arrived)).toEqual(["GET /"]);
    expect(later).toEqual([]);
  });

  test("when the exchange is released between two hops", async () => {
    const { other, later } = await redirected((transport, exchange) => transport.release(exchange));
    expect(inShort(other.arrived)).toEqual(["GET /"]);
    expect(later.filter(({ type }) => type === "sent" || type === "broke")).toEqual([]);
  });
});
