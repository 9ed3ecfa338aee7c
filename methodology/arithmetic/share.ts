/** Part of a whole in basis points, 0 to 10000, rounded down so that 10000 means all; null for no whole. */
export function share(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.floor((part * 10_000) / whole);
}
