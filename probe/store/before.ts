/** What the last runs found: which targets opened when they were last probed. */
import { readObservations, readRun, runIds } from "./read.ts";

/** How far back it is looked; a target that was not probed in these runs is not known. */
const RUNS_LOOKED_BACK = 12;

/** Keys of the targets whose last observation passed L0. */
export async function openedBefore(dataDir: string): Promise<ReadonlySet<string>> {
  const opened = new Set<string>();
  for (const id of (await runIds(dataDir)).slice(-RUNS_LOOKED_BACK)) {
    for await (const { value } of readObservations(await readRun(dataDir, id))) {
      const judged = value.attempts.find(({ attempt }) => attempt === value.judged);
      if (judged?.stoppedBy === null) opened.add(value.target);
      else opened.delete(value.target);
    }
  }
  return opened;
}
