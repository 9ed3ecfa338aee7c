import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from "node:zlib";
import { describe, expect, test } from "vitest";
import initialize from "../checks/L0.initialize.ts";
import { limit } from "../rules.ts";
import { probeAndJudge, serve } from "../testing/judged.ts";
import { type Arrived, healthyAnswer } from "../testing/servers/http.ts";
import { concat, textOf } from "../transcript/body.ts";
import { codingsOf } from "../views/codings.ts";
import { eventsOf } from "../views/view.ts";
import { decoded, TooLarge } from "./decoding.ts";

const CODINGS = {
  gzip: gzipSync,
  "x-gzip": gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
} as const;
const MIB = 1024 * 1024;

async function* inPieces(bytes: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Uint8Array, size: number, codings: readonly string[]): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const piece of decoded(inPieces(bytes, size), codings, 16 * MIB)) parts.push(piece);
  return textOf(concat(parts));
}

const byteByByte = (bytes: Uint8Array, ...codings: readonly string[]) => read(bytes, 1, codings);

const TEXT = '{"text":"größer"}';

describe("a body", () => {
  test.each(Object.entries(CODINGS))("in %s is decoded byte by byte", async (coding, encode) => {
    expect(await byteByByte(encode(TEXT), coding)).toBe(TEXT);
  });

  test("in deflate without the format of zlib is decoded too", async () => {
    expect(await byteByByte(deflateRawSync(TEXT), "deflate")).toBe(TEXT);
  });

  test("that was encoded twice is decoded in reverse", async () => {
    const twice = brotliCompressSync(gzipSync(TEXT));
    const codings = codingsOf({ headers: [["content-encoding", "gzip, br"]] });
    expect(await byteByByte(twice, ...codings)).toBe(TEXT);
  });

  test("that lacks its last bytes gives what it holds", async () => {
    expect(await byteByByte(gzipSync(TEXT).subarray(0, -8), "gzip")).toBe(TEXT);
  });

  test("that is no such coding is a fault", async () => {
    await expect(byteByByte(Buffer.from(TEXT), "gzip")).rejects.toThrow("incorrect header check");
  });

  test.each(Object.entries(CODINGS))(
    "in %s that is a bomb is left at the limit",
    async (coding, encode) => {
      const bomb = encode(Buffer.alloc(17 * MIB));
      await expect(read(bomb, bomb.length, [coding])).rejects.toBeInstanceOf(TooLarge);
    },
  );

  test("in two codings that is a bomb within a bomb is left at the limit of the inner one", async () => {
    const bomb = gzipSync(brotliCompressSync(Buffer.alloc(17 * MIB)));
    await expect(read(bomb, bomb.length, ["gzip", "br"])).rejects.toBeInstanceOf(TooLarge);
  });

  test("is read no further than somebody wants it", async () => {
    let asked = 0;
    async function* endless(): AsyncIterable<Uint8Array> {
      for (const bomb = gzipSync(Buffer.alloc(MIB)); ; asked += 1) yield bomb;
    }
    for await (const piece of decoded(endless(), ["gzip"], 16 * MIB)) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    expect(asked).toBeLessThan(100);
  });

  test("without bytes is empty", async () => {
    expect(await byteByByte(new Uint8Array(), "gzip")).toBe("");
  });
});

test.each([
  ["identity", []],
  ["GZIP", ["gzip"]],
  ["utf-8", []],
  ["gzip, compress", []],
  ["gzip, gzip, gzip, gzip", []],
  ["", []],
])("a Content-Encoding of %j is undone as %j", (value, codings) => {
  expect(codingsOf({ headers: [["Content-Encoding", value]] })).toEqual(codings);
});

type Encode = (text: string) => Uint8Array;

/** Serves everything in one coding. */
const encoded = (coding: string, encode: Encode) =>
  serve((one, response) => respond(one, response, coding, encode));

function respond(
  { message }: Arrived,
  response: Parameters<Parameters<typeof serve>[0]>[1],
  coding: string,
  encode: Encode,
): void {
  const answer = healthyAnswer(message);
  response.setHeader("content-type", "application/json");
  response.setHeader("content-encoding", coding);
  if (answer) response.end(encode(JSON.stringify(answer)));
  else response.writeHead(202).end();
}

describe("a server that encodes although we ask it not to", () => {
  test.each(Object.entries(CODINGS))(
    "in %s is judged as any other, and its bytes are kept",
    async (coding, encode) => {
      const server = await encoded(coding, encode);
      const { failed, outcomes, transcript } = await probeAndJudge(`${server.origin}/mcp`);
      expect(failed).toEqual([]);
      expect(outcomes.get("L1.tool_schemas")).toBe("passed");
      expect(server.arrived[0]!.headers["accept-encoding"]).toBe("identity");
      const raw = eventsOf(transcript.events, "received")[0]!.data;
      expect(Buffer.from(raw)).toEqual(
        Buffer.from(encode(JSON.stringify(healthyAnswer(server.arrived[0]!.message)))),
      );
    },
  );

  test("and sends a bomb fails at our limit", async () => {
    const server = await encoded("gzip", () => gzipSync(Buffer.alloc(17 * MIB, " ")));
    const { transcript } = await probeAndJudge(`${server.origin}/mcp`, { kind: "liveness" });
    expect(initialize.run(transcript)).toMatchObject({ outcome: "failed", reason: "size-cap" });
    expect(eventsOf(transcript.events, "capped")).toMatchObject([{ limit: limit("message") }]);
  });

  test("and sends something else fails with what it named", async () => {
    const server = await encoded("gzip", (text) => Buffer.from(text));
    const { transcript } = await probeAndJudge(`${server.origin}/mcp`, { kind: "liveness" });
    expect(initialize.run(transcript)).toMatchObject({
      outcome: "failed",
      reason: "not-json-rpc",
      because: expect.stringContaining("sent a body that is no gzip"),
    });
  });

  test("event by event is heard before the stream ends", async () => {
    const { createGzip } = await import("node:zlib");
    const server = await serve((one, response) => {
      if (one.message["method"] !== "initialize") return respond(one, response, "gzip", gzipSync);
      response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" });
      const gzip = createGzip();
      gzip.pipe(response);
      gzip.write(`data: ${JSON.stringify(healthyAnswer(one.message))}\n\n`);
      gzip.flush();
    });
    const { failed, facts } = await probeAndJudge(`${server.origin}/mcp`);
    expect(failed).toEqual([]);
    expect((facts["latency"] as { opening: number }).opening).toBeLessThan(5000);
  });
});
