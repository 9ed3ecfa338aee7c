/** The ports that the embedded servers had before, as the listings of a data folder tell. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { listingsFolder } from "../../store/paths.ts";
import { type Listener, listings, type Ports } from "./listings.ts";

const Listed = z.object({ remotes: z.array(z.object({ type: z.string(), url: z.url() })) });

/** Ports that tell which listing is of which server. */
const SAMPLE: Ports = { everything: 1, "everything-sse": 2, "both-eras": 3, "modern-only": 4 };

/**
 * Only listings of the embedded servers are read, by their full names. One that is not there or is
 * broken has no port: it is about to be written anew.
 */
export async function portsBefore(dataDir: string): Promise<Partial<Ports>> {
  const ports: Partial<Record<Listener, number>> = {};
  for (const { name, remotes = [] } of listings(SAMPLE)) {
    const before = await listedPorts(join(listingsFolder(dataDir), `${name}.json`));
    for (const { type, url } of remotes) {
      const listener = (Object.keys(SAMPLE) as Listener[]).find(
        (each) => SAMPLE[each] === portOf(url),
      );
      const port = before.get(type);
      if (listener && port) ports[listener] = port;
    }
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

/** By the type of the remote. */
async function listedPorts(path: string): Promise<Map<string, number | undefined>> {
  try {
    const { remotes } = Listed.parse(JSON.parse(await readFile(path, "utf8")));
    return new Map(remotes.map(({ type, url }) => [type, portOf(url)]));
  } catch {
    return new Map();
  }
}

/** Undefined for the port that a scheme implies, which no embedded server has. */
function portOf(url: string): number | undefined {
  const { port } = new URL(url);
  return port === "" ? undefined : Number(port);
}
