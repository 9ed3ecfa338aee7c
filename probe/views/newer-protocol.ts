/** Versions that a server names and that are newer than any published one: not its fault, nor ours. */
import { protocolVersions } from "../rules.ts";
import { errorOf, exchanges } from "./exchanges.ts";
import { own } from "./json.ts";
import { view } from "./view.ts";

/** Whether a value is a date version later than the newest published version. */
function isNewerVersion(value: unknown): value is string {
  return (
    typeof value === "string" &&
    /^\d{4}-\d{2}-\d{2}$/.test(value) &&
    !Number.isNaN(Date.parse(value)) &&
    protocolVersions.every(({ version }) => value > version)
  );
}

/**
 * The versions that refusals of the opening name as supported, when all are newer than ours; else
 * undefined. Only `data.supported` counts: other members repeat what we had asked for.
 */
export const newerProtocol = view((transcript): readonly string[] | undefined => {
  const named = exchanges(transcript)
    .filter(({ purpose }) => purpose === "opening")
    .map((exchange) => own(errorOf(exchange)?.data, "supported"))
    .filter((supported) => Array.isArray(supported))
    .flat() as unknown[];
  return named.length > 0 && named.every(isNewerVersion) ? named : undefined;
});
