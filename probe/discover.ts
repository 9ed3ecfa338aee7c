/** Finds the modules of a folder by reading it: a file that is there counts, no list needs an edit. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * The default exports of every module in a folder but `index.ts` and tests, by file name. Throws when
 * there is none, when a module exports nothing, or when its `id` is not its file's name.
 */
export async function discover<T extends { readonly id: string }>(folder: string): Promise<T[]> {
  const files = (await readdir(folder))
    .filter((file) => file.endsWith(".ts") && file !== "index.ts" && !file.endsWith(".test.ts"))
    .sort();
  if (files.length === 0) throw new Error(`${folder} holds no module.`);
  return Promise.all(
    files.map(async (file) => {
      const path = join(folder, file);
      const module = (await import(pathToFileURL(path).href)) as { default?: T };
      if (!module.default) throw new Error(`${path} has no default export.`);
      if (`${module.default.id}.ts` !== file) {
        throw new Error(
          `${path} calls itself "${module.default.id}"; file and id must be the same.`,
        );
      }
      return module.default;
    }),
  );
}
