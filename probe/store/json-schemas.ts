/** The schemas of stored data as JSON Schema, for readers that are not written in TypeScript. */
import { z } from "zod";
import { Observation } from "../observation.ts";
import { Transcript } from "../transcript/schema.ts";
import { RunRecord, ShardHeader, StoredBody, StoredTranscript, Tombstone } from "./schema.ts";
import { ServerJson } from "./server-json.ts";

const SCHEMAS = {
  listing: ServerJson,
  run: RunRecord,
  "shard-header": ShardHeader,
  "stored-transcript": StoredTranscript,
  "stored-body": StoredBody,
  observation: Observation,
  tombstone: Tombstone,
  /** A transcript in a file of its own, bodies inline. */
  transcript: Transcript,
} as const;

/** Names and texts of the files in `data/schema/`. */
export function schemaFiles(): readonly { readonly name: string; readonly text: string }[] {
  return Object.entries(SCHEMAS).map(([name, schema]) => ({
    name: `${name}.schema.json`,
    text: `${JSON.stringify(z.toJSONSchema(schema, { io: "input" }), null, 2)}\n`,
  }));
}
