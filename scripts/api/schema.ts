/**
 * The published API, `api/v1`: what `publish` writes, what pages and badges are made of.
 *
 * Paths are below `api/v1`. Times are ISO 8601 in UTC, durations milliseconds, shares basis points
 * (10000 = all). Nothing here is computed from a clock: `asOf` is the end of the newest run.
 */
import { z } from "zod";
import { VerdictAssessment } from "../../methodology/verdict/assessment.ts";
import { Outcome } from "../../probe/check.ts";
import { Attempt } from "../../probe/observation.ts";
import { Event, RunKind } from "../../probe/transcript/schema.ts";

const Time = z.iso.datetime({ precision: 3 });

/** One event of the record, as evidence: what it is, and the bytes that came or went. */
export const Evidence = z.strictObject({
  /** Index of the event in its transcript. */
  event: z.int().nonnegative(),
  type: z.enum(Event.options.map((option) => option.shape.type.value)),
  /** Milliseconds since the attempt began. */
  at: z.int(),
  /** One line: `POST https://…`, `HTTP 200`, `312 bytes on stdout`, `timed out after 10000 ms`. */
  summary: z.string(),
  /** Headers and bytes as text, control characters kept, malformed UTF-8 replaced; cut at 4096 characters. Null for events without bytes or headers. */
  text: z.string().nullable(),
  /** How many bytes the event really holds, when `text` was cut; else null. */
  cutFrom: z.int().nullable(),
});

export const CheckRow = z.strictObject({
  check: z.string(),
  title: z.string(),
  subject: z.string().nullable(),
  outcome: Outcome,
  reason: z.string().nullable(),
  because: z.string(),
  evidence: z.array(Evidence),
});

export const FactRow = z.strictObject({
  fact: z.string(),
  title: z.string(),
  value: z.json(),
  /** The value as a person reads it. */
  shown: z.string(),
});

/** A number over a history, with the count it rests on; null where n is 0. */
export const Metrics = z.strictObject({
  uptime: z.strictObject({
    "24h": z.strictObject({ share: z.int(), n: z.int() }).nullable(),
    "7d": z.strictObject({ share: z.int(), n: z.int() }).nullable(),
    "30d": z.strictObject({ share: z.int(), n: z.int() }).nullable(),
  }),
  latency: z.strictObject({
    /** The opening on a fresh connection or process, 30 days. */
    opening: z.strictObject({ p50: z.int(), p95: z.int(), n: z.int() }).nullable(),
  }),
});

export const HistoryRow = z.strictObject({
  run: z.string(),
  kind: RunKind,
  checkedAt: Time,
  version: z.string().nullable(),
  /** What this run alone says under the current methodology; null when it gives no verdict. */
  verdict: VerdictAssessment.shape.verdict,
  reason: z.string().nullable(),
  passed: z.int(),
  assessed: z.int(),
});

export const TargetPage = z.strictObject({
  key: z.string(),
  primary: z.boolean(),
  kind: z.enum(["remote", "package", "command"]),
  transport: z.enum(["streamable-http", "sse", "stdio"]),
  /** How to reach it, as a person would type it: the URL, or the package with its version. */
  address: z.string(),
  version: z.string().nullable(),
  /** Every published verdict methodology, current one first. */
  verdicts: z.array(VerdictAssessment),
  /** The newest observation that the checks below come from; null before the first run. */
  observation: z
    .strictObject({
      run: z.string(),
      kind: RunKind,
      attempts: z.array(Attempt),
      judged: z.int(),
      checks: z.array(CheckRow),
      facts: z.array(FactRow),
      /** A takedown withholds bytes that this was judged from; the checks show no evidence. */
      withheld: z.literal(true).optional(),
    })
    .nullable(),
  metrics: Metrics,
  /** Newest first, 30 days. */
  history: z.array(HistoryRow),
  /** Transcripts of the newest observation and of 30 days, JSON Lines: `raw/<name>/<n>.jsonl`. */
  raw: z.string().nullable(),
});

/** `servers/<namespace>/<name>.json` */
export const ServerPage = z.strictObject({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  repository: z.string().nullable(),
  website: z.string().nullable(),
  /** Null before the first run. */
  asOf: Time.nullable(),
  /** The primary target's current verdict; the badge and every page show this same object. */
  verdict: VerdictAssessment,
  badge: z.strictObject({ svg: z.string(), endpoint: z.string() }),
  targets: z.array(TargetPage),
});

export const ServerRow = z.strictObject({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  transport: TargetPage.shape.transport,
  /** Number of targets. */
  targets: z.int(),
  verdict: VerdictAssessment,
  /** Opening, p50 over 30 days; null where never measured. */
  latency: z.int().nullable(),
  uptime30d: z.int().nullable(),
});

/** `servers.json`, by name. */
export const ServerIndex = z.strictObject({ asOf: Time.nullable(), servers: z.array(ServerRow) });

/** `checks.json`, in the order they are asked. */
export const CheckIndex = z.strictObject({
  checks: z.array(
    z.strictObject({
      id: z.string(),
      layer: z.enum(["L0", "L1", "L2"]),
      title: z.string(),
      passesWhen: z.string(),
      why: z.string(),
      fix: z.string(),
      needs: z.array(z.string()),
      /** Methodologies that count it. */
      countedBy: z.array(z.string()),
      /** How the primary targets' newest observations came out. */
      outcomes: z.record(Outcome, z.int()),
      /** Listings whose primary target fails it, by name. */
      failing: z.array(z.string()),
    }),
  ),
});

/** `methodologies.json`, current one of each family first. */
export const MethodologyIndex = z.strictObject({
  methodologies: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      publishedOn: z.string(),
      current: z.boolean(),
      checks: z.array(z.string()),
    }),
  ),
});

/** `runs.json`, newest first. */
export const RunIndex = z.strictObject({
  runs: z.array(
    z.strictObject({
      id: z.string(),
      kind: RunKind,
      startedAt: Time,
      endedAt: Time,
      region: z.string(),
      probe: z.string(),
      targets: z.int(),
      /** Observations by verdict of the current methodology; `none` gave none. */
      verdicts: z.strictObject({
        alive: z.int(),
        degraded: z.int(),
        dead: z.int(),
        unverifiable: z.int(),
        none: z.int(),
      }),
      skipped: z.array(z.strictObject({ target: z.string(), reason: z.string() })),
      /** SHA-256 of run.json. */
      digest: z.string(),
      previous: z.string().nullable(),
      files: z.array(z.strictObject({ name: z.string(), bytes: z.int(), sha256: z.string() })),
    }),
  ),
});

/** `stats.json` */
export const Stats = z.strictObject({
  asOf: Time.nullable(),
  listings: z.int(),
  verdicts: RunIndex.shape.runs.element.shape.verdicts,
  runs: z.int(),
});

/** `badges/<namespace>/<name>.json`, as shields.io reads it. */
export const BadgeEndpoint = z.strictObject({
  schemaVersion: z.literal(1),
  label: z.string(),
  message: z.string(),
  color: z.string(),
});

export type Evidence = z.infer<typeof Evidence>;
export type CheckRow = z.infer<typeof CheckRow>;
export type FactRow = z.infer<typeof FactRow>;
export type Metrics = z.infer<typeof Metrics>;
export type HistoryRow = z.infer<typeof HistoryRow>;
export type TargetPage = z.infer<typeof TargetPage>;
export type ServerPage = z.infer<typeof ServerPage>;
export type ServerRow = z.infer<typeof ServerRow>;
export type ServerIndex = z.infer<typeof ServerIndex>;
export type CheckIndex = z.infer<typeof CheckIndex>;
export type MethodologyIndex = z.infer<typeof MethodologyIndex>;
export type RunIndex = z.infer<typeof RunIndex>;
export type Stats = z.infer<typeof Stats>;
export type BadgeEndpoint = z.infer<typeof BadgeEndpoint>;
