/**
 * Builds transcripts for tests: a healthy conversation of a small server, and what is different.
 *
 * The healthy server opens at once, declares tools, lists one, refuses the unknown method, and ends
 * in good order. A test names only the answers that differ, by method.
 */
import {
  type Event,
  type Installed,
  type Target,
  type Transcript,
  TRANSCRIPT_FORMAT,
} from "../transcript/schema.ts";
import { type Answer, type Request, Script, type StreamStart } from "./script.ts";

export type { Answer, Request } from "./script.ts";

export const INITIALIZE = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {} },
  serverInfo: { name: "fixture", version: "1.0.0" },
};

export const DISCOVER = {
  resultType: "complete",
  supportedVersions: ["2026-07-28"],
  capabilities: { tools: {} },
  ttlMs: 0,
  cacheScope: "private",
  _meta: { "io.modelcontextprotocol/serverInfo": { name: "fixture", version: "1.0.0" } },
};

export const GET_WORD = {
  name: "get_word",
  description: "Returns one word.",
  inputSchema: {
    type: "object",
    properties: { kind: { type: "string", enum: ["noun", "verb"] } },
    required: ["kind"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true },
};

export const TOOLS = { tools: [GET_WORD] };
export const METHOD_NOT_FOUND = { code: -32601, message: "Method not found" };

/** Answers by method; several for one method are its pages or its repetitions, in order. */
export type Answers = Partial<Record<string, Answer | readonly Answer[]>>;

export interface Difference {
  answers?: Answers;
  target?: Target;
  kind?: Transcript["kind"];
  /** Stdio: bytes on stdout before anything else. */
  noise?: string;
  /** HTTP+SSE: how the stream began. */
  stream?: StreamStart;
  /** Replaces how the server is reached: resolved, connected, tls or spawned. */
  reached?: readonly Event[];
  /** Requests after the opening; default: the lists that it declares, then the unknown method. */
  requests?: readonly Request[];
}

/** A remote target with nothing special about it. */
export const remoteTarget = (url: string): Extract<Target, { kind: "remote" }> => ({
  kind: "remote",
  key: url,
  url,
  transport: "streamable-http",
  missing: [],
});

const REMOTE = remoteTarget("https://mcp.example/mcp");

const SSE_REMOTE: Target = { ...remoteTarget("https://mcp.example/sse"), transport: "sse" };

/** A package with nothing special about it. */
export const PACKAGE: Extract<Target, { kind: "package" }> = {
  kind: "package",
  key: "npm:fixture",
  registry: "npm",
  identifier: "fixture",
  version: "1.0.0",
  arguments: [],
  environment: {},
  missing: [],
};

const TARGETS = { http: REMOTE, sse: SSE_REMOTE, stdio: PACKAGE };

const CERTIFICATE = {
  subject: "CN=mcp.example",
  issuer: "CN=Test CA",
  validFrom: "2026-01-01T00:00:00Z",
  validTo: "2027-01-01T00:00:00Z",
  fingerprint: "AA:BB",
};

const HTTP_REACHED: readonly Event[] = [
  {
    type: "resolved",
    at: 1,
    host: "mcp.example",
    addresses: [{ address: "203.0.113.7", family: 4, allowed: true }],
  },
  { type: "connected", at: 5, connection: 1, address: "203.0.113.7", port: 443, took: 4 },
  {
    type: "tls",
    at: 9,
    connection: 1,
    host: "mcp.example",
    took: 4,
    protocol: "TLSv1.3",
    chain: [CERTIFICATE],
  },
];

const STDIO_REACHED: readonly Event[] = [
  { type: "spawned", at: 1, argv: ["node", "fixture.js"], environment: ["HOME", "PATH"] },
];

const unknownMethod: Request = { method: "probe/unknown-method", purpose: "unknown-method" };
const initialized: Request = {
  method: "notifications/initialized",
  purpose: "initialized",
  notification: true,
};
const list = (name: string): Request => ({ method: `${name}/list`, purpose: "list" });

/** A conversation over streamable HTTP, legacy era. */
export function httpTranscript(difference: Difference = {}): Transcript {
  return build("http", "initialize", INITIALIZE, difference);
}

/** A conversation over stdio, legacy era. */
export function stdioTranscript(difference: Difference = {}): Transcript {
  return build("stdio", "initialize", INITIALIZE, difference);
}

/** A conversation over stdio with a package that was installed for it, or that could not be. */
export function packageTranscript(
  installed: Partial<Installed> = {},
  difference: Difference = {},
): Transcript {
  const { registry, identifier, version } = PACKAGE;
  const as = { registry, identifier, version, took: 900, step: "install", ...installed } as const;
  const met: Event = { type: "installed", at: 0, ...as };
  if (met.fault) return { ...stdioTranscript(difference), events: [met] };
  return stdioTranscript({ reached: [met, ...STDIO_REACHED], ...difference });
}

/** A conversation over HTTP+SSE, legacy era. */
export function sseTranscript(difference: Difference = {}): Transcript {
  return build("sse", "initialize", INITIALIZE, difference);
}

/** A conversation over streamable HTTP, modern era. */
export function modernTranscript(difference: Difference = {}): Transcript {
  return build("http", "server/discover", DISCOVER, difference);
}

function build(
  wire: "http" | "sse" | "stdio",
  openingMethod: string,
  openingResult: unknown,
  difference: Difference,
): Transcript {
  const answers: Answers = {
    [openingMethod]: { result: openingResult },
    "tools/list": { result: TOOLS },
    "probe/unknown-method": { error: METHOD_NOT_FOUND },
    "notifications/initialized": { raw: "", status: 202 },
    ...difference.answers,
  };
  const modern = openingMethod === "server/discover";
  const requests = difference.requests ?? [
    ...(modern ? [] : [initialized]),
    ...declared(answers[openingMethod]).map(list),
    unknownMethod,
  ];
  const target = difference.target ?? TARGETS[wire];
  const script = new Script(target.kind === "remote" ? target.url : undefined, modern);
  for (const event of difference.reached ?? (wire === "stdio" ? STDIO_REACHED : HTTP_REACHED)) {
    script.add(event);
  }
  if (wire === "sse") script.stream(difference.stream ?? {});
  if (difference.noise !== undefined) script.receive("stdout", difference.noise);
  const cursors = new Map<string, number>();
  const opening: Request = {
    method: openingMethod,
    purpose: "opening",
    ...(modern ? {} : { params: { protocolVersion: INITIALIZE.protocolVersion } }),
  };
  for (const request of [opening, ...requests]) {
    if (script.over) break;
    const answer = answers[request.method];
    const all = Array.isArray(answer) ? (answer as readonly Answer[]) : [answer as Answer];
    const index = cursors.get(request.method) ?? 0;
    cursors.set(request.method, index + 1);
    const pages = request.purpose === "list" ? all : all.slice(index, index + 1);
    pages.forEach((page, number) => {
      const before = number > 0 ? (pages[number - 1] as { result?: { nextCursor?: unknown } }) : {};
      const cursor = before.result?.nextCursor;
      script.exchange(number > 0 ? { ...request, params: { cursor } } : request, page);
    });
  }
  return {
    format: TRANSCRIPT_FORMAT,
    probe: { name: "probity", version: "0.0.0" },
    listing: "example.fixture/server",
    target,
    kind: difference.kind ?? "full",
    era: "auto",
    attempt: 1,
    startedAt: "2026-11-30T12:00:00.000Z",
    events: script.events,
  };
}

/** Names of the lists that an opening's answer declares. */
function declared(answer: Answers[string]): string[] {
  const result = (answer as { result?: { capabilities?: unknown } } | undefined)?.result;
  const capabilities = result?.capabilities;
  if (typeof capabilities !== "object" || capabilities === null) return [];
  return Object.entries(capabilities)
    .filter(([name, value]) => /^(tools|resources|prompts)$/.test(name) && isObject(value))
    .map(([name]) => name);
}

const isObject = (value: unknown) =>
  typeof value === "object" && value !== null && !Array.isArray(value);
