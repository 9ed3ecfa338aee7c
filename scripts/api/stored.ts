/** Reads a data folder as the API needs it. */
import { readListings, targetsOf } from "../../probe/store/listings.ts";
import {
  readObservations,
  readRuns,
  readTranscripts,
  type StoredRun,
} from "../../probe/store/read.ts";
import type { Data, Listing, Run } from "./input.ts";

export function storedData(dataDir: string): Data {
  return {
    async *listings() {
      for await (const { name, server } of readListings(dataDir)) {
        yield {
          name,
          title: server.title ?? name,
          description: server.description,
          repository: server.repository?.url ?? null,
          website: server.websiteUrl ?? null,
          targets: targetsOf(server),
        } satisfies Listing;
      }
    },
    async *runs() {
      for await (const stored of readRuns(dataDir)) yield runOf(stored);
    },
  };
}

function runOf(stored: StoredRun): Run {
  const { id, kind, startedAt, endedAt, region, probe, skips, previous, files } = stored.record;
  return {
    about: {
      id,
      kind,
      startedAt,
      endedAt,
      region,
      probe: `${probe.name} ${probe.version}`,
      skipped: skips,
      digest: stored.digest,
      previous,
      files,
    },
    async *observations() {
      for await (const { value } of readObservations(stored)) yield value;
    },
    async *transcripts(targets) {
      for await (const { listing, target, value } of readTranscripts(stored, targets)) {
        yield { listing, target, transcript: value };
      }
    },
  };
}
