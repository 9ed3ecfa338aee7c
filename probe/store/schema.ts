/** The stored forms: run.json, the header of a shard, a transcript without its bodies, a body. */
import { z } from "zod";
import { Control } from "../control/control.ts";
import { Event, RunKind, Transcript } from "../transcript/schema.ts";
import { CONTENTS, parseRunId } from "./paths.ts";

export const RUN_FORMAT = "probity-run/1";
export const SHARD_FORMAT = "probity-shard/1";

/** Most targets of one shard: its files stay near 1 MB, the size above which git hosts object. */
export const SHARD_TARGETS = 1250;

const Time = z.iso.datetime({ precision: 3 });
const Count = z.int().nonnegative();
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const RunId = z.string().refine((id) => parseRunId(id) !== undefined, "is no run id");

/** First line of each file of a shard; the three are equal. */
export const ShardHeader = z.strictObject({
  format: z.literal(SHARD_FORMAT),
  run: RunId,
  shard: z.int().positive(),
  /** Lines after the header, by file. */
  counts: z.strictObject({ transcripts: Count, bodies: Count, observations: Count }),
  /** What our own side was worth while the shard was probed, by time. */
  control: z.array(Control),
});
export type ShardHeader = z.infer<typeof ShardHeader>;

const PlainBody = z.union([
  z.strictObject({ text: z.string() }),
  z.strictObject({ base64: z.base64() }),
]);

/**
 * Some bytes: inline, or named by their SHA-256, alone when this run stores them, with `@` and a run
 * id when an earlier run does.
 */
export const Piece = z.union([
  z.string().regex(/^[0-9a-f]{64}(?:@[0-9]{4}\/[0-9]{2}\/[0-9]{2}\/[0-9]{4}Z-[a-z0-9-]+)?$/),
  PlainBody,
]);
export type Piece = z.infer<typeof Piece>;

const [
  resolved,
  connected,
  tls,
  installed,
  spawned,
  sent,
  responded,
  received,
  decoded,
  ...others
] = Event.options;

/** A line of `NN.transcripts`: `data` of the events is replaced, all else is as recorded. */
export const StoredTranscript = Transcript.extend({
  events: z.array(
    z.discriminatedUnion("type", [
      resolved,
      connected,
      tls,
      installed,
      spawned,
      sent.extend({ data: Piece }),
      responded,
      received.omit({ data: true }).extend({ size: Count }),
      decoded.extend({ data: Piece }),
      ...others,
    ]),
  ),
  /** What `received` events took their bytes from, by channel in the order of first bytes. */
  streams: z.array(z.strictObject({ channel: received.shape.channel, pieces: z.array(Piece) })),
});
export type StoredTranscript = z.infer<typeof StoredTranscript>;

/** A line of `NN.bodies`; null where a tombstone took the bytes away. */
export const StoredBody = z.tuple([
  Sha256,
  z.union([z.string(), z.strictObject({ base64: z.base64() }), z.null()]),
]);
export type StoredBody = z.infer<typeof StoredBody>;

/** `run.json` */
export const RunRecord = z.strictObject({
  format: z.literal(RUN_FORMAT),
  id: RunId,
  kind: RunKind,
  startedAt: Time,
  endedAt: Time,
  probe: z.strictObject({ name: z.string(), version: z.string(), commit: z.string().nullable() }),
  /** Digests of the rules and of the list that the run went by. */
  rules: Sha256,
  list: Sha256,
  region: z.string(),
  /** Ids of the checks and facts that observed: a replay asks these, whatever was added since. */
  judges: z.strictObject({ checks: z.array(z.string()), facts: z.array(z.string()) }),
  /** Keys of the targets that were due. */
  plan: z.array(z.string()),
  skips: z.array(z.strictObject({ target: z.string(), reason: z.string() })),
  counts: z.strictObject({
    shards: Count,
    transcripts: Count,
    bodies: Count,
    observations: Count,
  }),
  /** Names without extension, size and digest of the uncompressed bytes. */
  files: z.array(
    z.strictObject({
      name: z.string().regex(new RegExp(`^[0-9]{2}\\.(?:${CONTENTS.join("|")})$`)),
      bytes: Count,
      sha256: Sha256,
    }),
  ),
  /** Digest of the run.json that was sealed before this one; null for the first. */
  previous: Sha256.nullable(),
});
export type RunRecord = z.infer<typeof RunRecord>;

/** `data/tombstones/<sha256>.json`: a body that must not be shown any more. */
export const Tombstone = z.strictObject({
  sha256: Sha256,
  /** Date of the decision, `YYYY-MM-DD`. */
  on: z.iso.date(),
  because: z.string().min(1),
});
export type Tombstone = z.infer<typeof Tombstone>;
