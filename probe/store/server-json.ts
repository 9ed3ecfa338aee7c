/** `server.json` of the official MCP registry, schema 2025-12-11: what we read of it. */
import { z } from "zod";

/** Namespace and name; the registry's own pattern. */
export const SERVER_NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;

/** Something with a value: fixed, by default, or to be filled by its user. */
const Input = z.looseObject({
  value: z.string().optional(),
  default: z.string().optional(),
  isRequired: z.boolean().optional(),
  /** What fills the `{holes}` of `value`. */
  get variables() {
    return z.record(z.string(), Input).optional();
  },
});

const KeyValue = Input.extend({ name: z.string() });

const Argument = z.discriminatedUnion("type", [
  Input.extend({ type: z.literal("positional"), valueHint: z.string().optional() }),
  Input.extend({ type: z.literal("named"), name: z.string() }),
]);

/** The registry's own pattern. Of what it lets through some are no URLs: `https://[`. */
const WEB_URL = /^https?:\/\/\S+$/;

const Remote = z.looseObject({
  type: z.enum(["streamable-http", "sse"]),
  url: z.string().regex(WEB_URL).refine(URL.canParse, "is no URL"),
  headers: z.array(KeyValue).optional(),
  variables: z.record(z.string(), Input).optional(),
});

const Package = z.looseObject({
  registryType: z.string().min(1),
  identifier: z.string().min(1),
  /** Absent where the identifier holds it: an image's tag, a bundle's address. */
  version: z.string().min(1).optional(),
  transport: z.looseObject({ type: z.enum(["stdio", "streamable-http", "sse"]) }),
  packageArguments: z.array(Argument).optional(),
  environmentVariables: z.array(KeyValue).optional(),
});

export const ServerJson = z.looseObject({
  name: z.string().regex(SERVER_NAME).max(200),
  title: z.string().optional(),
  description: z.string(),
  version: z.string(),
  websiteUrl: z.url().optional(),
  repository: z.looseObject({ url: z.string() }).optional(),
  remotes: z.array(Remote).optional(),
  packages: z.array(Package).optional(),
});

export type ServerJson = z.infer<typeof ServerJson>;
export type Input = z.infer<typeof Input>;
export type Remote = z.infer<typeof Remote>;
export type Package = z.infer<typeof Package>;
