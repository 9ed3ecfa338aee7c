/** What an attempt is made at: a URL, a package, or a command. */
import { z } from "zod";

/** Where a package comes from. */
export const Registry = z.enum(["npm", "pypi", "oci", "mcpb"]);

/** One way to reach a listing. `key` names it for ever; the version probed is an attribute. */
export const Target = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("remote"),
    key: z.string(),
    /** An address of the web, unless something is missing: a hole can stand for any part of it. */
    url: z.string(),
    transport: z.enum(["streamable-http", "sse"]),
    /** Names of required headers and URL variables that nothing fills. */
    missing: z.array(z.string()),
  }),
  z.strictObject({
    kind: z.literal("package"),
    key: z.string(),
    registry: Registry,
    identifier: z.string(),
    version: z.string(),
    arguments: z.array(z.string()),
    /** Values the listing sets. */
    environment: z.record(z.string(), z.string()),
    /** Names of required environment variables that nothing fills. */
    missing: z.array(z.string()),
  }),
  /** A command line of an author's own machine; never in a directory. */
  z.strictObject({
    kind: z.literal("command"),
    key: z.string(),
    argv: z.array(z.string()).min(1),
    environment: z.record(z.string(), z.string()),
    missing: z.array(z.string()),
  }),
]);
export type Target = z.infer<typeof Target>;
