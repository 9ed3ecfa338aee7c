/** Certificates, good and bad, as the record and the checks see them. */
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { generate } from "selfsigned";
import { describe, expect, onTestFinished, test } from "vitest";
import { checks } from "../checks/index.ts";
import { evaluate } from "../evaluate.ts";
import { facts } from "../facts/index.ts";
import { record } from "../record.ts";
import { INITIALIZE, remoteTarget } from "../testing/transcripts.ts";
import { eventsOf } from "../views/view.ts";

const DAY = 86_400_000;
const HOST = "mcp.example";

interface Validity {
  /** Days from today. */
  readonly from?: number;
  readonly to?: number;
  /** The name in the certificate. */
  readonly name?: string;
  /** The address in the certificate, instead of the name. */
  readonly ip?: string;
}

/** Serves a healthy opening behind a certificate, and counts the requests it gets. */
async function serve({ from = -1, to = 30, name = HOST, ip }: Validity) {
  const pem = await generate([{ name: "commonName", value: name }], {
    keyType: "ec",
    notBeforeDate: new Date(Date.now() + from * DAY),
    notAfterDate: new Date(Date.now() + to * DAY),
    extensions: [
      {
        name: "subjectAltName",
        altNames: [ip === undefined ? { type: 2, value: name } : { type: 7, ip }],
      },
    ],
  });
  let requests = 0;
  const server = createServer({ key: pem.private, cert: pem.cert }, (_, response) => {
    requests += 1;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: INITIALIZE }));
  });
  server.listen(0, ip ?? "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { ca: pem.cert, port: (server.address() as AddressInfo).port, requests: () => requests };
}

function probe(port: number, ca?: string) {
  const url = `https://${HOST}:${port}/mcp`;
  return record(remoteTarget(url), {
    kind: "liveness",
    allowLoopback: true,
    resolve: async () => [{ address: "127.0.0.1", family: 4 }],
    ...(ca === undefined ? {} : { ca }),
  });
}

const tlsOutcome = (transcript: Awaited<ReturnType<typeof probe>>) =>
  evaluate(transcript, { checks, facts }).checks.find(({ check }) => check === "L0.tls");

test("a certificate that is valid for the host passes, and is on record", async () => {
  const { port, ca, requests } = await serve({ to: 2.5 });
  const transcript = await probe(port, ca);
  expect(tlsOutcome(transcript)).toMatchObject({ outcome: "passed" });
  expect(requests()).toBe(1);
  const [handshake] = eventsOf(transcript.events, "tls");
  expect(handshake).toMatchObject({ host: HOST, protocol: "TLSv1.3" });
  expect(handshake!.chain[0]).toMatchObject({ subject: `CN=${HOST}` });
  expect(evaluate(transcript, { checks, facts }).facts["tls"]).toMatchObject({ daysLeft: 2 });
});

test.each([
  ["127.0.0.1", "127.0.0.1"],
  ["::1", "[::1]"],
])("a certificate for the address %s is valid for it", async (ip, host) => {
  const { port, ca, requests } = await serve({ ip });
  const target = remoteTarget(`https://${host}:${port}/mcp`);
  const transcript = await record(target, { kind: "liveness", allowLoopback: true, ca });
  expect(eventsOf(transcript.events, "tls")[0]).not.toHaveProperty("fault");
  expect(requests()).toBe(1);
});

describe("nothing is sent over a connection whose certificate", () => {
  test.each<[string, Validity, boolean, string]>([
    ["has expired", { from: -10, to: -1 }, true, "certificate-expired"],
    ["is not valid yet", { from: 1, to: 10 }, true, "certificate-not-yet-valid"],
    ["is for another name", { name: "other.example" }, true, "certificate-name-mismatch"],
    ["is self-signed", {}, false, "certificate-untrusted"],
  ])("%s", async (_, validity, trusted, reason) => {
    const { port, ca, requests } = await serve(validity);
    const transcript = await probe(port, trusted ? ca : undefined);
    expect(tlsOutcome(transcript)).toMatchObject({ outcome: "failed", reason });
    expect(requests()).toBe(0);
    expect(eventsOf(transcript.events, "sent")).toEqual([]);
  });
});

test("a handshake with something that speaks no TLS is a failed handshake", async () => {
  const { createServer: createPlain } = await import("node:net");
  const plain = createPlain((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  plain.listen(0, "127.0.0.1");
  await once(plain, "listening");
  onTestFinished(() => void plain.close());
  const transcript = await probe((plain.address() as AddressInfo).port);
  expect(tlsOutcome(transcript)).toMatchObject({
    outcome: "failed",
    reason: "tls-handshake-failed",
  });
});
