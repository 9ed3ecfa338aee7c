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
  /** Who signs it, instead of itself. */
  readonly by?: Signer;
  /** How it is signed. */
  readonly algorithm?: string;
  /** Where it redirects to, instead of answering. */
  readonly location?: string;
}

interface Signer {
  readonly key: string;
  readonly cert: string;
}

/** A certificate that signs others. */
async function authority(name: string, by?: Signer): Promise<Signer> {
  const pem = await generate([{ name: "commonName", value: name }], {
    keyType: "ec",
    algorithm: "sha256",
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, critical: true },
    ],
    ...(by && { ca: by }),
  });
  return { key: pem.private, cert: pem.cert };
}

/** Serves a healthy opening behind a certificate, and counts the requests it gets. */
async function serve(validity: Validity, chain: readonly string[] = []) {
  const { from = -1, to = 30, name = HOST, ip, by, location, algorithm = "sha256" } = validity;
  const pem = await generate([{ name: "commonName", value: name }], {
    keyType: "ec",
    algorithm,
    notBeforeDate: new Date(Date.now() + from * DAY),
    notAfterDate: new Date(Date.now() + to * DAY),
    extensions: [
      {
        name: "subjectAltName",
        altNames: [ip === undefined ? { type: 2, value: name } : { type: 7, ip }],
      },
    ],
    ...(by && { ca: by }),
  });
  let requests = 0;
  const cert = [pem.cert, ...chain].join("\n");
  const server = createServer({ key: pem.private, cert }, (_, response) => {
    requests += 1;
    if (location !== undefined) return response.writeHead(308, { location }).end();
    response.setHeader("content-type", "application/json");
    return response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: INITIALIZE }));
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

describe("a certificate that an intermediate signed", () => {
  test("is valid with the whole chain, and untrusted without the intermediate", async () => {
    const root = await authority("Root");
    const middle = await authority("Middle", root);
    const whole = await serve({ by: middle }, [middle.cert]);
    expect(tlsOutcome(await probe(whole.port, root.cert))).toMatchObject({ outcome: "passed" });
    const leaf = await serve({ by: middle });
    const transcript = await probe(leaf.port, root.cert);
    const [met] = eventsOf(transcript.events, "tls");
    expect(met!.fault!.code).toBe("UNABLE_TO_VERIFY_LEAF_SIGNATURE");
    const outcome = tlsOutcome(transcript);
    expect(outcome).toMatchObject({ outcome: "failed", reason: "certificate-untrusted" });
    expect(outcome!.because).toContain("lacks the intermediate certificate");
    expect(leaf.requests()).toBe(0);
  });

  test("with SHA-1 is untrusted, and the reason says what is likely wrong", async () => {
    const root = await authority("Root");
    const weak = await serve({ by: root, algorithm: "sha1" });
    const outcome = tlsOutcome(await probe(weak.port, root.cert));
    expect(outcome).toMatchObject({ reason: "certificate-untrusted" });
    expect(outcome!.because).toContain("a weak signature");
  });

  test("of an authority that nobody knows is untrusted", async () => {
    const root = await authority("Root");
    const unknown = await serve({ by: await authority("Other") });
    const transcript = await probe(unknown.port, root.cert);
    expect(tlsOutcome(transcript)).toMatchObject({ reason: "certificate-untrusted" });
    expect(unknown.requests()).toBe(0);
  });
});

describe("where a redirect leads", () => {
  test.each<[string, Validity, string]>([
    ["an expired certificate fails the check", { from: -10, to: -1 }, "certificate-expired"],
    ["a certificate for another name does", { name: "third.example" }, "certificate-name-mismatch"],
  ])("%s, and nothing is sent there", async (_, validity, reason) => {
    const root = await authority("Root");
    const other = await serve({ name: "other.example", ...validity, by: root });
    const location = `https://other.example:${other.port}/mcp`;
    const listed = await serve({ by: root, location });
    const transcript = await probe(listed.port, root.cert);
    expect(tlsOutcome(transcript)).toMatchObject({ outcome: "failed", reason });
    expect([listed.requests(), other.requests()]).toEqual([1, 0]);
  });

  test("plain http is not asked, although https led there", async () => {
    const listed = await serve({ location: `http://${HOST}/mcp/` });
    const transcript = await probe(listed.port, listed.ca);
    const { checks: all } = evaluate(transcript, { checks, facts });
    expect(all.find(({ check }) => check === "L0.initialize")).toMatchObject({
      outcome: "failed",
      reason: "redirect-not-followed",
      because: expect.stringContaining("it leads from https to http"),
    });
    expect(listed.requests()).toBe(1);
    expect(tlsOutcome(transcript)).toMatchObject({ outcome: "passed" });
  });

  test("good certificates on the whole way pass, each of them evidence", async () => {
    const root = await authority("Root");
    const other = await serve({ name: "other.example", by: root });
    const location = `https://other.example:${other.port}/mcp`;
    const listed = await serve({ by: root, location });
    const transcript = await probe(listed.port, root.cert);
    const outcome = tlsOutcome(transcript);
    expect(outcome).toMatchObject({ outcome: "passed" });
    expect(outcome!.evidence).toHaveLength(2);
    expect(other.requests()).toBe(1);
  });
});

test("a full name with the dot that ends it needs no certificate of its own", async () => {
  const { port, ca } = await serve({});
  const transcript = await record(remoteTarget(`https://${HOST}.:${port}/mcp`), {
    kind: "liveness",
    allowLoopback: true,
    resolve: async () => [{ address: "127.0.0.1", family: 4 }],
    ca,
  });
  expect(tlsOutcome(transcript)).toMatchObject({ outcome: "passed" });
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
