/** The files of one shard, as bytes: transcripts, the bodies that are new, observations. */
import { join } from "node:path";
import type { Control } from "../control/control.ts";
import { UsageError } from "../errors.ts";
import { Observation } from "../observation.ts";
import type { Transcript } from "../transcript/schema.ts";
import { encodeTranscript, storedBody } from "./codec.ts";
import { jsonLine } from "./json.ts";
import { type Content, CONTENTS, logicalName } from "./paths.ts";
import {
  SHARD_FORMAT,
  SHARD_TARGETS,
  ShardHeader,
  StoredBody,
  StoredTranscript,
} from "./schema.ts";

export interface NewShard {
  readonly transcripts: readonly Transcript[];
  readonly observations: readonly Observation[];
  readonly control: readonly Control[];
}

export interface File {
  readonly name: string;
  readonly content: Content;
  readonly bytes: Buffer;
  /** Lines behind the header. */
  readonly lines: number;
}

/**
 * Encodes a shard. `known` tells which run holds a body, by digest; what it lacks is stored here and
 * added to it. `folder` is named in messages alone.
 */
export function shardFiles(
  run: string,
  shard: number,
  { transcripts, observations, control }: NewShard,
  known: Map<string, string>,
  folder: string,
): readonly File[] {
  if (observations.length > SHARD_TARGETS) {
    throw new UsageError(`A shard holds at most ${SHARD_TARGETS} targets; plan more shards.`);
  }
  checkMatch(transcripts, observations);
  const place = (content: Content) => ({ path: join(folder, logicalName(shard, content)) });
  const bodies: string[] = [];
  const keep = (digest: string, bytes: Uint8Array): string => {
    const at = known.get(digest);
    if (at === undefined) {
      known.set(digest, run);
      bodies.push(jsonLine(StoredBody, storedBody(digest, bytes), place("bodies")));
    }
    return at === undefined || at === run ? digest : `${digest}@${at}`;
  };
  const lines: Record<Content, readonly string[]> = {
    transcripts: sorted(transcripts, ({ target, listing, attempt }) => [
      target.key,
      listing ?? "",
      String(attempt),
    ]).map((each) =>
      jsonLine(StoredTranscript, encodeTranscript(each, keep), place("transcripts")),
    ),
    bodies,
    observations: sorted(observations, ({ target, listing }) => [target, listing ?? ""]).map(
      (each) => jsonLine(Observation, each, place("observations")),
    ),
  };
  const header = jsonLine(
    ShardHeader,
    {
      format: SHARD_FORMAT,
      run,
      shard,
      counts: {
        transcripts: lines.transcripts.length,
        bodies: lines.bodies.length,
        observations: lines.observations.length,
      },
      control: [...control],
    },
    place("transcripts"),
  );
  return CONTENTS.map((content) => ({
    name: logicalName(shard, content),
    content,
    bytes: Buffer.from([header, ...lines[content]].join("")),
    lines: lines[content].length,
  }));
}

/** Every observation rests on transcripts, and every transcript is observed, once. */
function checkMatch(
  transcripts: readonly Transcript[],
  observations: readonly Observation[],
): void {
  const keyOf = (listing: string | null, target: string) => `${listing} ${target}`;
  const observed = observations.map(({ listing, target }) => keyOf(listing, target));
  const said = new Set(transcripts.map(({ listing, target }) => keyOf(listing, target.key)));
  const both = new Set([...said, ...observed]);
  if (observed.length !== said.size || both.size !== said.size) {
    throw new Error("The transcripts and the observations of a shard are of different targets.");
  }
}

/** Sorted by the texts that a key names, in code unit order. */
function sorted<T>(items: readonly T[], key: (item: T) => readonly string[]): readonly T[] {
  const keyed = items.map((item) => ({ item, key: key(item).join("\u0000") }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ item }) => item);
}
