/** What the embedded servers are, measured live: the verdicts that `npm start` must show. */
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verdicts } from "../../../methodology/index.ts";
import { assessAlone } from "../../../methodology/methodology.ts";
import { checks } from "../../checks/index.ts";
import { observe } from "../../evaluate.ts";
import { facts } from "../../facts/index.ts";
import type { Observation } from "../../observation.ts";
import { prepareTrusted } from "../../sandbox/trusted.ts";
import { targetsOf } from "../../store/listings.ts";
import { ServerJson } from "../../store/server-json.ts";
import { sweep } from "../../sweep.ts";
import { type Embedded, startEmbedded } from "./start.ts";

const ROOT = resolve(import.meta.dirname, "../../..");

let embedded: Embedded;
const observed = new Map<string, Observation>();

beforeAll(async () => {
  embedded = await startEmbedded();
  const plan = embedded.listings.flatMap((listing) =>
    targetsOf(ServerJson.parse(listing)).map((target) => ({ listing: listing.name, target })),
  );
  const prepare = (target: Parameters<typeof prepareTrusted>[0]) => prepareTrusted(target, ROOT);
  const options = { concurrency: 4, allowLoopback: true, repeat: "never", prepare } as const;
  for (const probed of await sweep(plan, options)) {
    if ("skipped" in probed) continue;
    const { listing, target } = probed.planned;
    const observation = observe(probed.attempts, { checks, facts });
    const way = target.kind === "remote" ? target.transport : target.kind;
    observed.set(`${listing.split("/")[1]} ${way}`, observation);
  }
}, 60_000);

afterAll(() => embedded.stop());

describe.each([
  // Protocol 2026-07-28 has no initialize, which the older version of the verdict asks for by name.
  ["modern-only streamable-http", "alive", null],
  ["both-eras streamable-http", "alive", "alive"],
  ["server-everything streamable-http", "alive", "alive"],
  ["server-everything sse", "alive", "alive"],
  ["server-everything package", "alive", "alive"],
  ["server-filesystem package", "alive", "alive"],
  ["server-memory package", "alive", "alive"],
  ["server-sequential-thinking package", "alive", "alive"],
])("%s", (name, current, before) => {
  test(`is ${current} by the current verdict and ${before ?? "not judged"} by the one before`, () => {
    const observation = observed.get(name)!;
    const said = verdicts.map((methodology) => assessAlone(methodology, observation).verdict);
    expect(said).toEqual([current, before]);
  });
});

test("nothing else was probed", () => {
  expect(observed.size).toBe(8);
});
