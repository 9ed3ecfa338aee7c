/** `checks.json`: every check, who counts it, and how the directory fares. */
import type { Check, Outcome } from "../../probe/check.ts";
import type { CheckIndex, MethodologyIndex, ServerPage } from "./schema.ts";

/** How the checks of one listing's primary target came out. */
export interface ListingOutcomes {
  readonly name: string;
  readonly outcomes: ReadonlyMap<string, Outcome>;
}

/** A check that spoke once per tool counts once: with the first of these that any tool got. */
const WORST_FIRST: readonly Outcome[] = [
  "failed",
  "passed",
  "cantTell",
  "untested",
  "inapplicable",
];

export function listingOutcomes({ name, targets }: ServerPage): ListingOutcomes {
  const outcomes = new Map<string, Outcome>();
  for (const { check, outcome } of targets[0]?.observation?.checks ?? []) {
    const known = outcomes.get(check);
    const rank = known === undefined ? Infinity : WORST_FIRST.indexOf(known);
    if (WORST_FIRST.indexOf(outcome) < rank) outcomes.set(check, outcome);
  }
  return { name, outcomes };
}

export function checkIndex(
  checks: readonly Check[],
  { methodologies }: MethodologyIndex,
  listings: readonly ListingOutcomes[],
): CheckIndex {
  return {
    checks: checks.map(({ id, title, passesWhen, why, fix, needs }) => {
      const results = listings.flatMap(({ name, outcomes }) => {
        const outcome = outcomes.get(id);
        return outcome === undefined ? [] : [{ name, outcome }];
      });
      const having = (wanted: Outcome) => results.filter(({ outcome }) => outcome === wanted);
      return {
        id,
        layer: id.slice(0, 2) as "L0" | "L1" | "L2",
        title,
        passesWhen,
        why,
        fix,
        needs: [...needs],
        countedBy: methodologies.filter((one) => one.checks.includes(id)).map((one) => one.id),
        outcomes: {
          passed: having("passed").length,
          failed: having("failed").length,
          inapplicable: having("inapplicable").length,
          untested: having("untested").length,
          cantTell: having("cantTell").length,
        },
        failing: having("failed")
          .map(({ name }) => name)
          .toSorted(),
      };
    }),
  };
}
