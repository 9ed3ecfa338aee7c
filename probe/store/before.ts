/** What the last runs found: which targets opened when they were last probed. */
import { limit } from "../rules.ts";
import { readObservations, readRun, runIds } from "./read.ts";

/** Keys of the targets whose last observation passed L0. */
export async function openedBefore(dataDir: string): Promise<ReadonlySet<string>> {
  const opened = new Set<string>();
  for (const id of (await runIds(dataDir)).slice(-limit("outage-runs"))) {
    for await (const { value } of readObservations(await readRun(dataDir, id))) {
      const judged = value.attempts.find(({ attempt }) => attempt === value.judged);
      if (judged?.stoppedBy === null) opened.add(value.target);
      else opened.delete(value.target);
    }
  }
  return opened;
}
