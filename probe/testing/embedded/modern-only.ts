/** A server that speaks 2026-07-28 alone and refuses every older version: factors and calendars. */
import { z } from "zod";
import { result, serve } from "./serve.ts";

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

const readOnly = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };
/** What `erase_cache` erases: factors that were found before. */
const cache = new Map<number, readonly number[]>();

serve({
  name: "modern-only",
  version: "1.0.0",
  legacy: "reject",
  register(server) {
    server.registerTool(
      "prime_factors",
      {
        description: "Splits a whole number into its prime factors, smallest first.",
        inputSchema: z.strictObject({ number: z.int().min(2).max(1_000_000).default(2026) }),
        outputSchema: z.strictObject({ factors: z.array(z.int()).readonly() }),
        annotations: readOnly,
      },
      ({ number }) => {
        const factors = cache.get(number) ?? primeFactors(number);
        cache.set(number, factors);
        return result({ factors });
      },
    );
    server.registerTool(
      "weekday_of",
      {
        description: "Names the day of the week of a date.",
        inputSchema: z.strictObject({ date: z.iso.date().default("2026-07-28") }),
        outputSchema: z.strictObject({ weekday: z.enum(WEEKDAYS) }),
        annotations: readOnly,
      },
      ({ date }) => result({ weekday: WEEKDAYS[new Date(date).getUTCDay()]! }),
    );
    server.registerTool(
      "erase_cache",
      {
        description: "Erases the factors that were found before.",
        outputSchema: z.strictObject({ erased: z.int() }),
        annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
      },
      () => {
        const erased = cache.size;
        cache.clear();
        return result({ erased });
      },
    );
  },
});

function primeFactors(number: number): readonly number[] {
  const factors: number[] = [];
  let rest = number;
  for (let prime = 2; prime * prime <= rest; prime += 1) {
    for (; rest % prime === 0; rest /= prime) factors.push(prime);
  }
  return rest > 1 ? [...factors, rest] : factors;
}
