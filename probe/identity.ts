/** Who the probe says it is, to every server and in every record. */
import config from "../probity.config.ts";
import manifest from "../package.json" with { type: "json" };

export const PROBE = { name: "probity", version: manifest.version } as const;

/** Names the probe, its version and a page that explains it. */
export const USER_AGENT = `${PROBE.name}/${PROBE.version} (+${config.url}/about)`;
