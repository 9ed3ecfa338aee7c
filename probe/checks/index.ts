/** Every check of this folder, in the order they are asked: each one after those that it needs. */
import type { Check } from "../check.ts";
import { discover } from "../discover.ts";

/** Sorts by layer, then by how much a check needs, then by id. Throws on unknown or circular needs. */
export function inAskingOrder(found: readonly Check[]): readonly Check[] {
  const byId = new Map(found.map((check) => [check.id as string, check]));
  const depth = (id: string, path: readonly string[]): number => {
    if (path.includes(id))
      throw new Error(`Checks need each other in a circle: ${path.join(", ")}.`);
    const check = byId.get(id);
    if (!check) throw new Error(`${path.at(-1)} needs ${id}, which does not exist.`);
    return Math.max(0, ...check.needs.map((need) => 1 + depth(need, [...path, id])));
  };
  const depths = new Map(found.map(({ id }) => [id, depth(id, [])]));
  return [...found].sort(
    (a, b) =>
      a.id.slice(0, 2).localeCompare(b.id.slice(0, 2)) ||
      depths.get(a.id)! - depths.get(b.id)! ||
      a.id.localeCompare(b.id),
  );
}

export const checks = inAskingOrder(await discover<Check>(import.meta.dirname));
