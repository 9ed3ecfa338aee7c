/**
 * The one-way imports of the project, and the few rules that catch real bugs.
 *
 * An override replaces the options of a rule, it does not add to them: each folder below therefore
 * names everything that is closed to it. `oxlint.config.test.ts` proves every line.
 */
import { defineConfig, type OxlintConfig } from "oxlint";

type Rules = NonNullable<OxlintConfig["rules"]>;
type Closed = ({ group: string[] } | { regex: string }) & {
  message: string;
  allowTypeImports?: boolean;
};

const testing: Closed = {
  regex: "(^|/)testing/",
  message:
    "testing/ serves tests, benchmarks, `npm start` and the golden transcripts, nothing else.",
};
/** A regex, because the glob `node:*` lets `node:fs/promises` through. */
const platform: Closed = {
  regex: "^(node:|undici(/|$))",
  message: "This folder is pure: the same bytes give the same result, everywhere and offline.",
};
const talking: Closed = {
  regex: "(^|/)(transport|conversation|sandbox|store)/",
  message: "What talks to servers or to disks stands before the transcript: read a view instead.",
};
const judging: Closed = {
  regex: "(^|/)(checks|facts)/",
  message: "Checks and facts read views, never the other way round.",
};
const besideViews: Closed = {
  group: ["./**", "../**", "!../{check,fact,rules}.ts", "!../views/**", "!../transcript/**"],
  message: "Read ../views, ../transcript and ../rules.ts. What two of these files need is a view.",
};
const besideObservations: Closed = {
  regex: "^(\\.\\./)+(probe/(checks|facts|views|evaluate)|scripts|site)\\b",
  message: "A methodology reads observations, not how they came about.",
};
const besideApi: Closed = {
  // `../scripts` may be the browser scripts of the site itself; the root's are further up.
  regex: "^(\\.\\./)+(probe|methodology)/|^(\\.\\./){3,}scripts/",
  message: "The site reads the published API, as any other reader would. Types may be imported.",
  allowTypeImports: true,
};

const closed = (...patterns: Closed[]): Rules => ({
  "no-restricted-imports": ["error", { patterns }],
});

const globals = ["fetch", "process", "globalThis", "console", "setTimeout", "setInterval"];

const pure: Rules = {
  "no-restricted-globals": [
    "error",
    ...globals.map((name) => ({ name, message: "Pure code reads its arguments, nothing else." })),
  ],
  "no-restricted-properties": [
    "error",
    { object: "Date", property: "now", message: "Take times from the transcript." },
    { object: "Math", property: "random", message: "The same bytes must give the same result." },
  ],
};

export default defineConfig({
  plugins: ["typescript", "import", "unicorn", "oxc"],
  categories: { correctness: "error" },
  options: { typeAware: true },
  rules: {
    "import/no-cycle": "error",
    "no-console": "error",
    "typescript/consistent-type-imports": "error",
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    // A default is a decision about all other members; without one, every member is named.
    "typescript/switch-exhaustiveness-check": [
      "error",
      { considerDefaultExhaustiveForUnions: true },
    ],
    // `[...text]` is how to count code points.
    "typescript/no-misused-spread": ["error", { allow: ["string"] }],
    // Checks and facts are records of functions without `this`, and are taken apart as such.
    "typescript/unbound-method": "off",
    // `[...set]` keeps a loop whole while its body changes the set.
    "unicorn/no-useless-spread": "off",
    ...closed(testing),
  },
  overrides: [
    {
      files: [
        "probe/{check,fact,observation,rules,evaluate}.ts",
        "probe/transcript/{schema,body}.ts",
        "probe/control/{control,around}.ts",
      ],
      rules: { ...pure, ...closed(testing, platform, talking) },
    },
    {
      files: ["probe/views/**"],
      rules: { ...pure, ...closed(testing, platform, talking, judging) },
    },
    {
      files: ["probe/{checks,facts}/**"],
      excludeFiles: ["probe/{checks,facts}/index.ts"],
      rules: { ...pure, ...closed(platform, besideViews) },
    },
    {
      files: ["methodology/**"],
      excludeFiles: ["methodology/index.ts"],
      rules: { ...pure, ...closed(testing, platform, talking, besideObservations) },
    },
    { files: ["site/**"], rules: closed(testing, besideApi) },
    {
      files: [
        "scripts/{start,update-golden,bench-hostile}.ts",
        "scripts/bench/**",
        "**/testing/**",
        "probe/transport/contract.ts",
      ],
      rules: closed(),
    },
    {
      files: ["probe/{bin,cli,report}*", "scripts/**", "site/check-links.ts"],
      rules: { "no-console": "off" },
    },
    {
      files: ["**/*.test.ts"],
      rules: {
        "no-restricted-imports": "off",
        "no-restricted-globals": "off",
        "no-restricted-properties": "off",
      },
    },
  ],
});
