/** `npm run publish`: makes the files of `api/v1` from the stored data. */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { current, methodologies, verdicts } from "../methodology/index.ts";
import { checks } from "../probe/checks/index.ts";
import { DataError, UsageError } from "../probe/errors.ts";
import { facts } from "../probe/facts/index.ts";
import config from "../probity.config.ts";
import { apiFiles } from "./api/files.ts";
import { storedData } from "./api/stored.ts";
import { replaceFolder } from "./api/write.ts";

try {
  const { values } = parseArgs({
    options: {
      data: { type: "string", default: "data" },
      out: { type: "string", default: "site/public/api/v1" },
    },
  });
  if (!existsSync(values.data)) throw new UsageError(`There is no data folder "${values.data}".`);
  const files = apiFiles({
    data: storedData(values.data),
    judges: { checks, facts, verdicts, methodologies, current },
    label: config.name,
  });
  const { files: count, bytes } = await replaceFolder(values.out, files);
  console.log(`Published ${count} files, ${Math.ceil(bytes / 1024)} KiB, to ${values.out}.`);
} catch (error) {
  if (!(error instanceof Error)) throw error;
  const misused = error instanceof UsageError || isParseError(error);
  if (!misused && !(error instanceof DataError)) throw error;
  console.error(error.message);
  process.exitCode = misused ? 2 : 1;
}

function isParseError(error: Error & { code?: string }): boolean {
  return error.code?.startsWith("ERR_PARSE_ARGS") ?? false;
}
