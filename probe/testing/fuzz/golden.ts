/** The golden recordings, which the fuzz tests change. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Transcript } from "../../transcript/schema.ts";

const GOLDEN = join(import.meta.dirname, "../golden");
const files = (await readdir(GOLDEN)).filter((file) => file.endsWith(".transcript.json"));
export const recordings = await Promise.all(
  files.map(async (file) =>
    Transcript.parse(JSON.parse(await readFile(join(GOLDEN, file), "utf8"))),
  ),
);
