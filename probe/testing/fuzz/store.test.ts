/** Records through the stored form and back, and texts that are no listing, or hardly one. */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { DataError } from "../../errors.ts";
import { decodeTranscript, encodeTranscript, type Ref } from "../../store/codec.ts";
import { jsonLine, readJson } from "../../store/json.ts";
import { targetsOf } from "../../store/listings.ts";
import { StoredTranscript } from "../../store/schema.ts";
import { ServerJson } from "../../store/server-json.ts";
import { Target, type Transcript } from "../../transcript/schema.ts";
import { textOf } from "../../transcript/body.ts";
import * as hostile from "./hostile.ts";
import { mutate, mutation } from "./mutations.ts";
import { recordings } from "./golden.ts";
import { repeatable, seed } from "./run.ts";

const again = `(PROBITY_FUZZ_SEED=${seed})`;

const changed = fc
  .tuple(
    fc.constantFrom(...recordings),
    fc.array(mutation, { maxLength: 8 }),
    fc.option(fc.string({ unit: "binary", maxLength: 20 })),
  )
  .map(([recording, mutations, listing]) => mutate({ ...recording, listing }, mutations));

const complain = (problem: string): never => {
  throw new Error(problem);
};

/** Encodes, writes a line of JSON, reads it again and decodes it. */
function throughTheStore(transcript: Transcript): Transcript {
  const bodies = new Map<string, Uint8Array<ArrayBuffer>>();
  const stored = encodeTranscript(transcript, (digest, bytes) => {
    bodies.set(digest, Uint8Array.from(bytes));
    return digest;
  });
  const place = { path: "01.transcripts", line: 2 };
  const read = readJson(StoredTranscript, jsonLine(StoredTranscript, stored, place), place);
  return decodeTranscript(read, ({ sha256 }: Ref) => bodies.get(sha256)!, complain);
}

test(`a record comes back from the store as it went in ${again}`, () => {
  repeatable("stored", 1500, changed, (transcript) => {
    const back = throughTheStore(transcript);
    if (!isDeepStrictEqual(plain(back), plain(transcript))) {
      expect(back).toEqual(transcript);
      throw new Error("it differs");
    }
  });
}, 300_000);

/** Bytes of any kind of array compare by what is in them. */
const plain = ({ events, ...rest }: Transcript) => ({
  ...rest,
  events: events.map((event) =>
    "data" in event ? { ...event, data: Buffer.from(event.data).toString("base64") } : event,
  ),
});

const LISTING = JSON.stringify({
  name: "example.fixture/server",
  description: "A server.",
  version: "1.0.0",
  websiteUrl: "https://mcp.example",
  repository: { url: "https://code.example/a/b", source: "git" },
  remotes: [
    {
      type: "streamable-http",
      url: "https://{tenant}.mcp.example/{path}",
      headers: [{ name: "Authorization", isRequired: true, isSecret: true }],
      variables: { path: { default: "{a}", variables: { a: { value: "mcp" } } }, tenant: {} },
    },
    { type: "sse", url: "https://mcp.example/sse" },
  ],
  packages: [
    {
      registryType: "npm",
      identifier: "@scope/name",
      version: "1.2.3",
      transport: { type: "stdio" },
      packageArguments: [
        { type: "positional", valueHint: "folder", isRequired: true },
        { type: "named", name: "--port", default: "80" },
      ],
      environmentVariables: [{ name: "KEY", isRequired: true }],
    },
    { registryType: "oci", identifier: "host/a/b:1@sha256:00", transport: { type: "stdio" } },
  ],
});

const value = fc.oneof(
  hostile.anyJson,
  fc.string({ unit: "binary", maxLength: 20 }).map((text) => JSON.stringify(text)),
  fc.constantFrom('"https://["', '"http://{a}:{b}"', '"{path}"', '"npm"', '"oci"', '"stdio"', "{}"),
);

/** A healthy listing with some of its values replaced, or something else altogether. */
const listing = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .array(fc.record({ at: fc.nat(1000), json: value }), { minLength: 1, maxLength: 2 })
      .map((changes) =>
        changes.reduce((text, { at, json }) => hostile.replaceValue(text, at, json), LISTING),
      ),
  },
  { weight: 1, arbitrary: hostile.anyJson },
  { weight: 1, arbitrary: hostile.bytes.map(textOf) },
);

test(`what is no listing is said to be none, and what is one has targets ${again}`, () => {
  repeatable("listings", 5000, listing, (text) => {
    const server = readOrRefuse(text);
    for (const target of server ? targetsOf(server) : []) Target.parse(target);
  });
}, 300_000);

test("among the generated listings are good ones and bad ones", () => {
  const read = fc.sample(listing, { numRuns: 500, seed }).map(readOrRefuse);
  expect(read.filter((server) => server !== undefined).length).toBeGreaterThan(30);
  expect(read.filter((server) => server === undefined).length).toBeGreaterThan(30);
});

/** Undefined for what was refused in the one way that data may be refused. */
function readOrRefuse(text: string): ServerJson | undefined {
  try {
    return readJson(ServerJson, text, { path: "data/listings/a/b.json" });
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    expect(error.message.startsWith("data/listings/a/b.json: ")).toBe(true);
    return undefined;
  }
}
