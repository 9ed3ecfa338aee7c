/** Numbers and times as pages print them: the same for every reader, in UTC. */

/** `2026-11-30 21:31 UTC` */
export const dateTime = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;

/** Milliseconds: `149 ms`, `2.4 s`. */
export function duration(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** Basis points as a percentage that never rounds up to 100: `99.99 %`. */
export const share = (basisPoints: number): string => `${basisPoints / 100} %`;

/** Bytes: `812 B`, `47.1 KiB`, `3.2 MiB`. */
export function bytes(count: number): string {
  if (count < 1024) return `${count} B`;
  return count < 1024 ** 2
    ? `${(count / 1024).toFixed(1)} KiB`
    : `${(count / 1024 ** 2).toFixed(1)} MiB`;
}

/** `1 server`, `1,204 servers`. */
export const counted = (n: number, one: string, many = `${one}s`): string =>
  `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
