/** Which version of a server each observation is about. */
import { z } from "zod";
import type { History } from "../history.ts";
import type { Observation } from "../../probe/observation.ts";

const ServerInfo = z.object({ version: z.string() });

/**
 * One version for each entry, in order; null while none is known. A server's own word comes first,
 * then the version of its package. An observation that got no word from the server belongs to the
 * last known version, unless another package was probed.
 */
export function versions(history: History): readonly (string | null)[] {
  let known: string | null = null;
  let inPackage: string | null = null;
  return history.map(({ observation }) => {
    const otherPackage = observation.version !== null && observation.version !== inPackage;
    known = named(observation) ?? (otherPackage ? observation.version : known);
    inPackage = observation.version ?? inPackage;
    return known;
  });
}

function named({ facts }: Observation): string | undefined {
  return ServerInfo.safeParse(facts["server_info"]).data?.version;
}
