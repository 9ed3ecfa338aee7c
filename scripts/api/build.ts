/** The published API of a data folder, made with every check, fact and methodology there is. */
import { current, methodologies, verdicts } from "../../methodology/index.ts";
import { checks } from "../../probe/checks/index.ts";
import { facts } from "../../probe/facts/index.ts";
import config from "../../probity.config.ts";
import { type ApiFile, apiFiles } from "./files.ts";
import { storedData } from "./stored.ts";

export function apiOf(dataDir: string): AsyncIterable<ApiFile> {
  return apiFiles({
    data: storedData(dataDir),
    judges: { checks, facts, verdicts, methodologies, current },
    label: config.name,
  });
}
