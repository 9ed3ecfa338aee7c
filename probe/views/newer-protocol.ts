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
 * The versions that a result of the opening goes on with, when all are newer than ours; else
 * undefined. A legacy server names one, a modern one its whole list.
 */
export function newerVersionsIn(result: unknown): readonly string[] | undefined {
  const [one, list] = [own(result, "protocolVersion"), own(result, "supportedVersions")];
  const listed = Array.isArray(list) ? (list as unknown[]) : [];
  return onlyNewer(one === undefined ? listed : [one, ...listed]);
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
  return onlyNewer(named);
});

const onlyNewer = (named: readonly unknown[]): readonly string[] | undefined =>
  named.length > 0 && named.every(isNewerVersion) ? named : undefined;
