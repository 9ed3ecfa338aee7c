import { defineConfig } from "vitest/config";
import { closingLine } from "./scripts/closing-line.ts";

export default defineConfig({
  test: {
    include: ["**/*.test.ts"],
    exclude: ["**/node_modules/**", "data/**", ".demo/**", "site/{dist,public}/**"],
    reporters: ["default", closingLine],
  },
});
