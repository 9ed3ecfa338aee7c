/**
 * Servers as their own control: when most of those that had passed before fail at once, the likelier
 * cause is our side, whatever the endpoints of the public list say.
 */
import type { Observation } from "../observation.ts";
import { limit } from "../rules.ts";
import type { Transcript } from "../transcript/schema.ts";
import { endOf, isElsewhere, isNear } from "./around.ts";
import type { Control } from "./control.ts";

/** The controls that can speak for the transcripts of a shard. */
export function duringShard(
  controls: readonly Control[],
  transcripts: readonly Transcript[],
): readonly Control[] {
  return controls.filter((control) =>
    transcripts.some((transcript) => isNear(control, endOf(transcript))),
  );
}

/**
 * The outage of a shard, as a control that failed; undefined when there was none. `attempts` and
 * `observations` are of the same targets, in order; `openedBefore` is asked only when it matters.
 */
export async function outageIn(
  attempts: readonly (readonly Transcript[])[],
  observations: readonly Observation[],
  openedBefore: () => Promise<ReadonlySet<string>>,
): Promise<Control | undefined> {
  const least = limit("outage-remotes");
  const remotes = observations.filter((_, index) => isElsewhere(attempts[index]![0]!));
  if (remotes.filter(isDown).length * 2 <= least) return undefined;
  const before = await openedBefore();
  const known = remotes.filter(({ target }) => before.has(target));
  const down = known.filter(isDown).length;
  if (known.length < least || down * 2 <= known.length) return undefined;
  const starts = attempts.flat().map(({ startedAt }) => Date.parse(startedAt));
  const began = Math.min(...starts);
  return {
    capability: "remotes",
    at: new Date(began).toISOString(),
    took: Math.max(...attempts.flat().map(endOf)) - began,
    needed: Math.ceil(known.length / 2),
    endpoints: known.map((observation) => ({
      endpoint: observation.target,
      ...(isDown(observation) && { fault: faultOf(observation) }),
    })),
  };
}

/** No attempt came through, by what looked like the server's fault or was ours. */
const isDown = ({ attempts }: Observation): boolean =>
  attempts.every(({ stoppedBy }) => stoppedBy?.outcome === "failed" || isLost(stoppedBy));

const isLost = (stop: Observation["attempts"][number]["stoppedBy"]): boolean =>
  stop?.outcome === "cantTell" && stop.reason === "control-failed";

function faultOf({ attempts }: Observation): NonNullable<Control["endpoints"][number]["fault"]> {
  const { check, reason } = attempts.at(-1)!.stoppedBy!;
  return { code: reason ?? "failed", message: check };
}
