/** `methodologies.json` */
import type { Judges } from "./input.ts";
import type { MethodologyIndex } from "./schema.ts";

export function methodologyIndex({
  methodologies,
  current,
}: Pick<Judges, "methodologies" | "current">): MethodologyIndex {
  const rows = methodologies.map(({ id, title, publishedOn, checks }) => ({
    id,
    title,
    publishedOn,
    current: current.has(id),
    checks: [...checks],
  }));
  return { methodologies: rows.toSorted(byFamily) };
}

type Row = MethodologyIndex["methodologies"][number];

/** Families by name; in each the current version first, then the newest. */
function byFamily(a: Row, b: Row): number {
  const [familyA, versionA] = parts(a.id);
  const [familyB, versionB] = parts(b.id);
  if (familyA !== familyB) return familyA < familyB ? -1 : 1;
  if (a.current !== b.current) return a.current ? -1 : 1;
  return versionB.localeCompare(versionA, "en", { numeric: true });
}

const parts = (id: string) => id.split("/") as [family: string, version: string];
