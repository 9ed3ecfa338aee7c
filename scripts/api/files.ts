/**
 * Every file of `api/v1`, from the stored data alone: the same data give the same bytes on every
 * machine. `publish` writes them, `replay` compares them.
 */
import type { z } from "zod";
import { bytesOf } from "../../probe/transcript/body.ts";
import { badgeEndpoint, badgeSvg } from "./badge.ts";
import { checkIndex, type ListingOutcomes, listingOutcomes } from "./check-index.ts";
import { readHistories } from "./histories.ts";
import type { Data, Judges, Listed, Listing } from "./input.ts";
import { methodologyIndex } from "./methodology-index.ts";
import { badgePath, rawPath, serverPath } from "./paths.ts";
import { rawLines, recentTranscripts } from "./raw.ts";
import { withRecordings } from "./recordings.ts";
import {
  BadgeEndpoint,
  CheckIndex,
  MethodologyIndex,
  RunIndex,
  ServerIndex,
  ServerPage,
  type ServerRow,
  Stats,
} from "./schema.ts";
import { serverIndex, serverRow } from "./server-index.ts";
import { serverPage } from "./server-page.ts";
import { stats } from "./stats.ts";

export interface ApiFile {
  /** Below `api/v1`, with slashes. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface ApiInput {
  readonly data: Data;
  readonly judges: Judges;
  /** Name of the directory, as badges show it. */
  readonly label: string;
}

/** Listings whose transcripts are held in memory at once. */
const BATCH = 100;

export async function* apiFiles({ data, judges, label }: ApiInput): AsyncIterable<ApiFile> {
  const runs = await all(data.runs());
  const histories = await readHistories(runs, judges);
  const rows: ServerRow[] = [];
  const outcomes: ListingOutcomes[] = [];
  for await (const batch of batches(data.listings())) {
    for (const listed of await withRecordings(batch, histories, runs, judges)) {
      const page = serverPage(listed, judges, histories.asOf);
      rows.push(serverRow(page));
      outcomes.push(listingOutcomes(page));
      yield* listingFiles(listed, page, label);
    }
  }
  const servers = serverIndex(rows, histories.asOf);
  const index = methodologyIndex(judges);
  yield json("servers.json", ServerIndex, servers);
  yield json("checks.json", CheckIndex, checkIndex(judges.checks, index, outcomes));
  yield json("methodologies.json", MethodologyIndex, index);
  yield json("runs.json", RunIndex, histories.runs);
  yield json("stats.json", Stats, stats(servers, runs.length));
}

function* listingFiles(listed: Listed, page: ServerPage, label: string): Iterable<ApiFile> {
  const { name, asOf, verdict } = page;
  const badge = badgeEndpoint(label, verdict);
  yield json(serverPath(name), ServerPage, page);
  yield json(badgePath(name, "json"), BadgeEndpoint, badge);
  yield { path: badgePath(name, "svg"), bytes: bytesOf(badgeSvg(badge)) };
  for (const [index, { transcripts }] of listed.targets.entries()) {
    const recent = asOf === null ? [] : recentTranscripts(transcripts, asOf);
    if (recent.length > 0) yield { path: rawPath(name, index), bytes: rawLines(recent) };
  }
}

/** Parsed once more on its way out: what the schema does not allow is never published. */
function json<T>(path: string, schema: z.ZodType<T>, value: T): ApiFile {
  return { path, bytes: bytesOf(`${JSON.stringify(schema.parse(value))}\n`) };
}

async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

async function* batches(listings: AsyncIterable<Listing>): AsyncIterable<readonly Listing[]> {
  let batch: Listing[] = [];
  for await (const listing of listings) {
    batch.push(listing);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
