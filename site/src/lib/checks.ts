/** A methodology may count a check before it is built. Such a check has no page, and no link may lead to one. */
import type { CheckIndex, MethodologyIndex } from "../../../scripts/api/schema.ts";
import { checkHref } from "./href.ts";

type Check = Pick<CheckIndex["checks"][number], "id">;
type Methodology = Pick<MethodologyIndex["methodologies"][number], "checks">;

/** Follows the name of a check that has no page. */
export const NOT_BUILT = "not built yet";

/** The address of the page of a check; null where the check is not built. */
export function builtHref(id: string, built: readonly Check[]): string | null {
  return built.some((check) => check.id === id) ? checkHref(id) : null;
}

/** What the methodologies count and nobody has built, each once, in their order. */
export function notBuilt(
  methodologies: readonly Methodology[],
  built: readonly Check[],
): readonly string[] {
  const known = new Set(built.map(({ id }) => id));
  const named = new Set(methodologies.flatMap(({ checks }) => checks));
  return [...named].filter((id) => !known.has(id));
}
