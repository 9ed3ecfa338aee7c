import { expect, test } from "vitest";
import fc from "fast-check";
import { bytesOf, concat, decodeBody, encodeBody, streamingDecoder } from "./body.ts";

test("any bytes come back from their JSON form", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      const json = JSON.parse(JSON.stringify(encodeBody(bytes))) as ReturnType<typeof encodeBody>;
      expect([...decodeBody(json)]).toEqual([...bytes]);
    }),
  );
});

test("text stays readable, a byte order mark included", () => {
  expect(encodeBody(bytesOf("\uFEFFé"))).toEqual({ text: "\uFEFFé" });
});

test("bytes that are no UTF-8 become base64", () => {
  expect(encodeBody(Uint8Array.from([0xff, 0x00]))).toEqual({ base64: "/wA=" });
});

test("a large body does not overflow the stack", () => {
  const large = new Uint8Array(3_000_000).fill(0xff);
  expect(Buffer.compare(decodeBody(encodeBody(large)), large)).toBe(0);
});

test("a character cut between two chunks is read whole", () => {
  const decoder = streamingDecoder();
  const [first, rest] = [bytesOf("é").subarray(0, 1), bytesOf("é").subarray(1)];
  expect(decoder.decode(first) + decoder.decode(rest) + decoder.decode()).toBe("é");
});

test("parts are joined in order", () => {
  expect([...concat([Uint8Array.of(1), new Uint8Array(), Uint8Array.of(2, 3)])]).toEqual([1, 2, 3]);
});
