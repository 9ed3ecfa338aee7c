/** A vitest reporter that ends the output with one plain line for people and scripts. */
import type { Reporter } from "vitest/node";

export const closingLine: Reporter = {
  onTestRunEnd(modules, unhandled) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const states = tests.map((test) => test.result().state);
    // A file that does not load or a hook that throws has no failed test; it still is a failure.
    const suites = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const broken = suites.filter((suite) => suite.errors().length > 0).length;
    const count = (state: string) => states.filter((one) => one === state).length;
    const failed = count("failed") + broken + unhandled.length;
    console.log(`${count("passed")} passed, ${failed} failed`);
  },
};
