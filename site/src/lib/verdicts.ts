/** What the words mean, and the order in which they are named. */
import type { CheckRow, ServerRow } from "../../../scripts/api/schema.ts";

type Assessment = ServerRow["verdict"];

/** A verdict as readers look for it: a hidden one is no longer a current result. */
export type Standing = NonNullable<Assessment["verdict"]> | "none";

/** `unverifiable` says nothing bad about a server, so it never stands at the low end. */
export const STANDINGS: readonly Standing[] = ["alive", "unverifiable", "degraded", "dead", "none"];

export const STANDING_WORDS: Readonly<Record<Standing, string>> = {
  alive: "alive",
  unverifiable: "unverifiable",
  degraded: "degraded",
  dead: "dead",
  none: "no current result",
};

export const STANDING_MEANINGS: Readonly<Record<Standing, string>> = {
  alive: "Reached, opened, and every check that ran passed.",
  unverifiable: "Could not be judged from here, for a reason that is not the server’s fault.",
  degraded: "Speaks MCP, and fails at least one check.",
  dead: "Failed by its own fault on three attempts, while our own connection worked.",
  none: "Not probed yet, or last checked more than seven days ago.",
};

/** Where a listing stands when the API was published. */
export function standing(verdict: Assessment): Standing {
  return verdict.freshness === "hidden" ? "none" : (verdict.verdict ?? "none");
}

/** Marks and classes show the verdict itself, also when it is only the last known one. */
export const markOf = (verdict: Assessment["verdict"]): Standing => verdict ?? "none";

export const OUTCOME_WORDS: Readonly<Record<CheckRow["outcome"], string>> = {
  passed: "passed",
  failed: "failed",
  inapplicable: "does not apply",
  untested: "not tested",
  cantTell: "cannot tell",
};

export const LAYERS = ["L0", "L1", "L2"] as const;
export type Layer = (typeof LAYERS)[number];

export const LAYER_QUESTIONS: Readonly<Record<Layer, string>> = {
  L0: "Does it speak MCP?",
  L1: "Does it keep to the protocol?",
  L2: "Do its tools answer as they say?",
};

/** Rows by layer, in the order in which they are asked; layers without rows are left out. */
export function byLayer<Row>(
  rows: readonly Row[],
  idOf: (row: Row) => string,
): readonly { readonly layer: Layer; readonly rows: readonly Row[] }[] {
  return LAYERS.map((layer) => ({
    layer,
    rows: rows.filter((row) => idOf(row).startsWith(`${layer}.`)),
  })).filter((group) => group.rows.length > 0);
}
