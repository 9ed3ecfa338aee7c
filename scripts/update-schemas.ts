/** `npm run schemas`: writes the JSON Schemas of stored data to `data/schema/`. */
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { schemaFiles } from "../probe/store/json-schemas.ts";

const folder = resolve(import.meta.dirname, "../data/schema");
await mkdir(folder, { recursive: true });
for (const { name, text } of schemaFiles()) await writeFile(join(folder, name), text);
console.log(`Wrote ${schemaFiles().length} schemas to data/schema.`);
