import { defineConfig } from "vitest/config";
import { closingLine } from "./scripts/closing-line.ts";

export default defineConfig({
  test: {
    include: ["**/*.test.ts"],
    exclude: ["**/node_modules/**", "data/**", ".demo/**", "site/{dist,public}/**"],
    // Many tests start processes; on a busy machine one takes seconds that says nothing about the code.
    testTimeout: 60_000,
    reporters: ["default", closingLine],
  },
});
