/** A session that the server forgets in the middle. */
import { describe, expect, test } from "vitest";
import { inShort, probeAndJudge, serve } from "../testing/judged.ts";
import { answerHealthily } from "../testing/servers/http.ts";
import { eventsOf } from "../views/view.ts";

type Response = Parameters<Parameters<typeof serve>[0]>[1];

type Forget = { readonly status: number; readonly type?: string; readonly body: string };

/** Forgets the session at `tools/list`, as many times as told, and knows only the newest one. */
function forgetful(times: number, { status, type = "application/json", body }: Forget) {
  let sessions = 0;
  let forgotten = 0;
  return serve((one, response) => {
    const method = one.message["method"];
    if (method === "initialize") response.setHeader("mcp-session-id", `s${(sessions += 1)}`);
    const loses = method === "tools/list" && forgotten < times;
    if (loses) forgotten += 1;
    const knows = method === "initialize" || one.headers["mcp-session-id"] === `s${sessions}`;
    if (loses || !knows) response.writeHead(status, { "content-type": type }).end(body);
    else answerHealthily(one, response);
  });
}

const rpc = (code: number, message: string, id: unknown = null) =>
  JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });

describe("a session that is lost once", () => {
  test.each<[string, Forget]>([
    ["by 404 and an error", { status: 404, body: rpc(-32001, "Session not found") }],
    [
      "by 404 and an error with the request's id",
      { status: 404, body: rpc(-32600, "Session has been terminated", 2) },
    ],
    ["by 404 without a body", { status: 404, body: "" }],
    ["by 404 and a page", { status: 404, type: "text/html", body: "<h1>Not Found</h1>" }],
    [
      "by 400 and an error",
      { status: 400, body: rpc(-32000, "Bad Request: No valid session ID provided") },
    ],
    ["by 400 and words", { status: 400, type: "text/plain", body: "unknown session" }],
  ])("%s is opened again, and the request is asked once more", async (_, forget) => {
    const server = await forgetful(1, forget);
    const { failed, outcomes, facts, transcript } = await probeAndJudge(`${server.origin}/mcp`);
    expect(failed).toEqual([]);
    expect(outcomes.get("L1.tools_list")).toBe("passed");
    expect(inShort(server.arrived)).toEqual([
      "POST /mcp initialize",
      "POST /mcp notifications/initialized",
      "POST /mcp tools/list",
      "POST /mcp initialize",
      "POST /mcp notifications/initialized",
      "POST /mcp tools/list",
      "POST /mcp probe/unknown-method",
      "DELETE /mcp",
    ]);
    const sessions = server.arrived.map(({ headers }) => headers["mcp-session-id"]);
    expect(sessions).toEqual([undefined, "s1", "s1", undefined, "s2", "s2", "s2", "s2"]);
    expect(server.arrived[5]!.body).toBe(server.arrived[2]!.body);
    expect(facts["session_lost"]).toBe(true);
    const purposes = eventsOf(transcript.events, "sent").map(({ purpose }) => purpose);
    expect(purposes.filter((purpose) => purpose === "opening")).toHaveLength(1);
    expect(purposes).toContain("reopening");
  });
});

test("a session that is lost twice is not opened a third time", async () => {
  const server = await forgetful(9, { status: 404, body: rpc(-32001, "Session not found") });
  const { failed, because } = await probeAndJudge(`${server.origin}/mcp`);
  expect(failed).toEqual(["L1.tools_list"]);
  expect(because.get("L1.tools_list")).toContain("Session not found");
  expect(inShort(server.arrived).filter((line) => line.includes("initialize"))).toHaveLength(4);
  expect(inShort(server.arrived).filter((line) => line.includes("tools/list"))).toHaveLength(2);
});

test("a server that opens no second session keeps its first answer", async () => {
  const server = await serve((one, response, all) => {
    const openings = all.filter(({ message }) => message["method"] === "initialize").length;
    response.setHeader("mcp-session-id", "s1");
    if (openings > 1) response.writeHead(400).end(rpc(-32600, "Server already initialized"));
    else if (one.message["method"] === "tools/list") response.writeHead(404).end("no session");
    else answerHealthily(one, response);
  });
  const { failed, outcomes, because } = await probeAndJudge(`${server.origin}/mcp`);
  expect(outcomes.get("L0.initialize")).toBe("passed");
  expect(failed).toContain("L1.tools_list");
  expect(because.get("L1.tools_list")).toContain("HTTP 404");
});

describe("a server that asks for something before it opens a second session", () => {
  /** Forgets the session at `at`, and puts a gate in the way of the next opening, so many times. */
  const gated = (at: string, times: number, gate: (response: Response) => void) => {
    let [openings, lost] = [0, false];
    return serve((one, response) => {
      const method = one.message["method"];
      lost ||= method === at;
      if (method === "initialize") {
        openings += 1;
        if (openings > 1 && openings <= 1 + times) return gate(response);
        lost = false;
        response.setHeader("mcp-session-id", `s${openings}`);
      } else if (lost || one.headers["mcp-session-id"] !== `s${openings}`) {
        return response.writeHead(404).end(rpc(-32001, "Session not found"));
      }
      return answerHealthily(one, response);
    });
  };
  const slowDown = (response: Response) =>
    void response.writeHead(429, { "retry-after": "0" }).end();

  test.each<[string, string, (response: Response) => void]>([
    ["rate-limited", "tools/list", slowDown],
    ["auth-required", "tools/list", (response) => void response.writeHead(401).end()],
    ["auth-required", "probe/unknown-method", (response) => void response.writeHead(401).end()],
  ])("is not judged by what is left, %s at %s", async (reason, at, gate) => {
    const server = await gated(at, 9, gate);
    const { failed, reasons } = await probeAndJudge(`${server.origin}/mcp`);
    expect(failed).toEqual([]);
    expect(reasons.get("L1.unknown_method")).toBe(reason);
    expect(reasons.get("L1.tools_list")).toBe(at === "tools/list" ? reason : undefined);
    const asked = inShort(server.arrived).filter((line) => line === `POST /mcp ${at}`);
    expect(asked).toHaveLength(1);
  });

  test("is asked again after the pause that it names", async () => {
    let lost = false;
    const server = await serve((one, response, all) => {
      const openings = all.filter(({ message }) => message["method"] === "initialize").length;
      if (one.message["method"] === "initialize") {
        if (openings === 2) return slowDown(response);
        response.setHeader("mcp-session-id", `s${openings}`);
      } else if (one.message["method"] === "tools/list" && !lost) {
        lost = true;
        return response.writeHead(404).end();
      }
      return answerHealthily(one, response);
    });
    const { failed, facts } = await probeAndJudge(`${server.origin}/mcp`);
    expect(failed).toEqual([]);
    expect(facts["session_lost"]).toBe(true);
  });
});

test("an empty name of a session is none", async () => {
  const server = await serve((one, response) => {
    response.setHeader("mcp-session-id", "");
    if (one.headers["mcp-session-id"] === undefined) answerHealthily(one, response);
    else response.writeHead(400).end(rpc(-32000, "Bad Request: no such session"));
  });
  const { failed } = await probeAndJudge(`${server.origin}/mcp`);
  expect(failed).toEqual([]);
  expect(inShort(server.arrived)).not.toContain("DELETE /mcp");
});

describe("no session is taken for lost", () => {
  test("when 404 carries the refusal of an unknown method", async () => {
    const server = await serve((one, response) => {
      if (one.message["method"] === "initialize") response.setHeader("mcp-session-id", "s1");
      if (one.message["method"] !== "probe/unknown-method") return answerHealthily(one, response);
      return response.writeHead(404).end(rpc(-32601, "no such method in this session", "p-1"));
    });
    const { failed, facts } = await probeAndJudge(`${server.origin}/mcp`);
    expect(failed).toEqual([]);
    expect(facts).not.toHaveProperty("session_lost");
  });

  test("when the same request is refused in another session as well", async () => {
    const server = await serve((one, response) => {
      if (one.message["method"] === "initialize") response.setHeader("mcp-session-id", "s1");
      if (one.message["method"] !== "probe/unknown-method") return answerHealthily(one, response);
      return response.writeHead(404).end();
    });
    const { failed, facts } = await probeAndJudge(`${server.origin}/mcp`);
    expect(failed).toEqual(["L1.unknown_method"]);
    expect(facts).not.toHaveProperty("session_lost");
  });

  test.each([404, 400])("when none was given out and %i comes", async (status) => {
    const server = await serve((one, response) => {
      if (one.message["method"] !== "tools/list") return answerHealthily(one, response);
      return response.writeHead(status).end("no session");
    });
    const { failed } = await probeAndJudge(`${server.origin}/mcp`);
    expect(failed).toEqual(["L1.tools_list"]);
    expect(inShort(server.arrived).filter((line) => line === "POST /mcp initialize")).toHaveLength(
      1,
    );
  });
});
