/** Every fact of this folder, by id. */
import { discover } from "../discover.ts";
import type { Fact } from "../fact.ts";

export const facts: readonly Fact[] = await discover<Fact>(import.meta.dirname);
