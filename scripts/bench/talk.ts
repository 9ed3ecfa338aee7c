/**
 * One measurement in a process of its own, `node talk.ts WAY KIND CONCURRENCY`, ports over IPC: asks
 * every server the same questions, by the probe or by a bare loop over undici. Answers with seconds
 * and the most memory it held.
 */
import { once } from "node:events";
import pLimit from "p-limit";
import { Client } from "undici";
import { checks } from "../../probe/checks/index.ts";
import { observe } from "../../probe/evaluate.ts";
import { facts } from "../../probe/facts/index.ts";
import { sweep } from "../../probe/sweep.ts";
import { remoteTarget } from "../../probe/testing/transcripts.ts";

export interface Talked {
  readonly seconds: number;
  readonly megabytes: number;
}

const MESSAGES = [
  { id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {} } },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/list" },
  { id: "p-1", method: "probe/unknown-method" },
  { id: 3, method: "server/discover" },
];

const [way, kind, concurrency] = process.argv.slice(2);
const [ports] = (await once(process, "message")) as [readonly number[]];
const start = performance.now();
await (way === "probe" ? probe() : bare());
const seconds = (performance.now() - start) / 1000;
const talked: Talked = { seconds, megabytes: process.resourceUsage().maxRSS / 1024 };
process.send!(talked, () => process.exit(0));

async function probe(): Promise<void> {
  const plan = ports.map((port) => ({
    listing: "bench/server",
    target: remoteTarget(`http://127.0.0.1:${port}/mcp`),
  }));
  const probed = await sweep(plan, {
    kind: kind === "full" ? "full" : "liveness",
    concurrency: Number(concurrency),
    allowLoopback: true,
    prepare: () => {
      throw new Error("No program is probed here.");
    },
  });
  for (const each of probed) {
    if ("skipped" in each) throw new Error(each.skipped);
    const { judged, attempts } = observe(each.attempts, { checks, facts });
    if (attempts[judged - 1]?.stoppedBy !== null) throw new Error("A healthy server did not pass.");
  }
}

async function bare(): Promise<void> {
  const limit = pLimit(Number(concurrency));
  const messages = kind === "full" ? MESSAGES : MESSAGES.slice(0, 1);
  await Promise.all(ports.map((port) => limit(() => talkTo(port, messages))));
}

async function talkTo(port: number, messages: typeof MESSAGES): Promise<void> {
  const client = new Client(`http://127.0.0.1:${port}`);
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  for (const message of messages) {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    const response = await client.request({ method: "POST", path: "/mcp", headers, body });
    const text = await response.body.text();
    if ("id" in message && (JSON.parse(text) as { id: unknown }).id !== message.id) {
      throw new Error("A healthy server did not answer.");
    }
  }
  await client.close();
}
