/**
 * The embedded servers as a directory lists them: `server.json` objects of the official registry.
 * Packages carry the versions that package.json pins, so that what is listed is what is installed.
 */
import manifest from "../../../package.json" with { type: "json" };

/** The servers that listen; the others are started by whoever probes them. */
export type Listener = "everything" | "everything-sse" | "both-eras" | "modern-only";

/** Loopback ports of the servers that listen. */
export type Ports = Readonly<Record<Listener, number>>;

/** What we use of the registry's `server.json`, schema 2025-12-11. */
export interface ServerJson {
  readonly $schema: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly repository?: { readonly url: string; readonly source: "github" };
  readonly remotes?: readonly { readonly type: "streamable-http" | "sse"; readonly url: string }[];
  readonly packages?: readonly {
    readonly registryType: "npm";
    readonly identifier: string;
    readonly version: string;
    readonly transport: { readonly type: "stdio" };
    readonly packageArguments?: readonly { readonly type: "positional"; readonly value: string }[];
  }[];
}

const $schema = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/** One listing a server; `everything` has three targets: two transports on ports, and its package. */
export function listings(ports: Ports): readonly ServerJson[] {
  return [
    {
      ...reference("server-everything", "Everything", "Exercises every feature of the protocol."),
      remotes: [remote(ports.everything), sseRemote(ports["everything-sse"])],
    },
    reference("server-filesystem", "Filesystem", "Reads and writes files below one folder.", "."),
    reference("server-memory", "Memory", "Remembers entities and relations in a graph."),
    reference("server-sequential-thinking", "Sequential thinking", "Keeps a chain of thoughts."),
    ours("both-eras", "Both eras", "Words, numerals and Easter, in every protocol version.", ports),
    ours("modern-only", "Modern only", "Factors and weekdays, in version 2026-07-28 alone.", ports),
  ];
}

type Reference = Extract<
  keyof typeof manifest.devDependencies,
  `@modelcontextprotocol/server-${string}`
>;
type ReferenceName = Reference extends `@modelcontextprotocol/${infer Name}` ? Name : never;

function reference(
  name: ReferenceName,
  title: string,
  description: string,
  ...positional: readonly string[]
): ServerJson {
  const identifier = `@modelcontextprotocol/${name}` as const;
  const version = manifest.devDependencies[identifier];
  return {
    $schema,
    name: `io.github.modelcontextprotocol/${name}`,
    title,
    description,
    version,
    repository: { url: "https://github.com/modelcontextprotocol/servers", source: "github" },
    packages: [
      {
        registryType: "npm",
        identifier,
        version,
        transport: { type: "stdio" },
        ...(positional.length > 0 && {
          packageArguments: positional.map((value) => ({ type: "positional" as const, value })),
        }),
      },
    ],
  };
}

function ours(
  name: "both-eras" | "modern-only",
  title: string,
  description: string,
  ports: Ports,
): ServerJson {
  return {
    $schema,
    name: `example.probity/${name}`,
    title,
    description,
    version: "1.0.0",
    remotes: [remote(ports[name])],
  };
}

function remote(port: number) {
  return { type: "streamable-http", url: `http://127.0.0.1:${port}/mcp` } as const;
}

function sseRemote(port: number) {
  return { type: "sse", url: `http://127.0.0.1:${port}/sse` } as const;
}
