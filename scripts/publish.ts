/** `npm run publish -- [--data DIR] [--out DIR]`: makes the files of `api/v1` from the stored data. */
import { parseArgs } from "node:util";
import { complain } from "../probe/errors.ts";
import { dataFolder } from "../probe/store/paths.ts";
import { apiOf } from "./api/build.ts";
import { replaceFolder } from "./api/write.ts";

try {
  const { values } = parseArgs({
    options: {
      data: { type: "string", default: "data" },
      out: { type: "string", default: "site/public/api/v1" },
    },
  });
  const { files, bytes } = await replaceFolder(values.out, apiOf(dataFolder(values.data)));
  console.log(`Published ${files} files, ${Math.ceil(bytes / 1024)} KiB, to ${values.out}.`);
} catch (error) {
  process.exitCode = complain(error);
}
