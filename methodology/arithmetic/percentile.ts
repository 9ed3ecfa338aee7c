/** The nearest-rank percentile, `percent` in (0, 100]: always one of the values; undefined for none. */
export function percentile(values: readonly number[], percent: number): number | undefined {
  const rank = Math.ceil((values.length * percent) / 100);
  return values.toSorted((a, b) => a - b)[rank - 1];
}
