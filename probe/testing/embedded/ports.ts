/** The ports that the embedded servers had before, as the listings of a data folder tell. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { listingsFolder } from "../../store/paths.ts";
import { type Listener, listings, type Ports } from "./listings.ts";

const Listed = z.object({ remotes: z.tuple([z.object({ url: z.url() })]).rest(z.unknown()) });

/** Ports that tell which listing is of which server. */
const SAMPLE: Ports = { everything: 1, "both-eras": 2, "modern-only": 3 };

/**
 * Only listings of the embedded servers are read, by their full names. One that is not there or is
 * broken has no port: it is about to be written anew.
 */
export async function portsBefore(dataDir: string): Promise<Partial<Ports>> {
  const ports: Partial<Record<Listener, number>> = {};
  for (const { name, remotes = [] } of listings(SAMPLE)) {
    const [remote] = remotes;
    if (!remote) continue;
    const listener = (Object.keys(SAMPLE) as Listener[]).find(
      (each) => SAMPLE[each] === portOf(remote.url),
    );
    const port = await listedPort(join(listingsFolder(dataDir), `${name}.json`));
    if (listener && port) ports[listener] = port;
  }
  return ports;
}

/** A sentence for every server whose port of before somebody else has now. */
export function movedPorts(before: Partial<Ports>, now: Ports): readonly string[] {
  return (Object.keys(now) as Listener[]).flatMap((name) => {
    const wanted = before[name];
    if (wanted === undefined || wanted === now[name]) return [];
    return `Port ${wanted} of ${name} is in use, so it listens on ${now[name]}. This is a new target: its history begins anew.`;
  });
}

async function listedPort(path: string): Promise<number | undefined> {
  try {
    const { remotes } = Listed.parse(JSON.parse(await readFile(path, "utf8")));
    return portOf(remotes[0].url);
  } catch {
    return undefined;
  }
}

/** Undefined for the port that a scheme implies, which no embedded server has. */
function portOf(url: string): number | undefined {
  const { port } = new URL(url);
  return port === "" ? undefined : Number(port);
}
