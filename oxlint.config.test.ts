import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** Each file breaks exactly one rule. */
const offences: readonly { file: string; text: string; rule: string; why: string }[] = [
  {
    why: "a promise that nobody waits for",
    file: "probe/a.ts",
    text: "const later = async (): Promise<void> => {};\nlater();",
    rule: "no-floating-promises",
  },
  {
    why: "a promise used as a condition",
    file: "probe/b.ts",
    text: "const ask = async (): Promise<boolean> => true;\nexport const b = ask() ? 1 : 2;",
    rule: "no-misused-promises",
  },
  {
    why: "a switch that forgets a member",
    file: "probe/c.ts",
    text: 'export function c(v: "x" | "y"): void {\n  switch (v) {\n    case "x":\n  }\n}',
    rule: "switch-exhaustiveness-check",
  },
  {
    why: "a type imported as a value",
    file: "probe/d.ts",
    text: 'import { Shape } from "./shape.ts";\nexport const d = (shape: Shape): Shape => shape;',
    rule: "consistent-type-imports",
  },
  {
    why: "a circle of imports",
    file: "probe/e.ts",
    text: 'import { f } from "./f.ts";\nexport const e = (): unknown => f;',
    rule: "no-cycle",
  },
  printing("probe/g.ts"),
  printing("site/src/lib/g.ts"),
  importing("probe/record.ts", "./testing/x.ts"),
  importing("scripts/publish.ts", "../probe/testing/x.ts"),
  ...["check", "fact", "observation", "rules", "transcript/schema"].map((name) =>
    importing(`probe/${name}.ts`, "node:fs"),
  ),
  importing("probe/transcript/body.ts", "node:fs/promises"),
  importing("probe/evaluate.ts", "./store/read.ts"),
  importing("probe/control/control.ts", "node:net"),
  importing("probe/control/around.ts", "../transport/connect.ts"),
  importing("probe/views/node.ts", "node:fs/promises"),
  importing("probe/views/undici.ts", "undici"),
  importing("probe/views/deep/transport.ts", "../../transport/guard.ts"),
  importing("probe/views/conversation.ts", "../conversation/lists.ts"),
  importing("probe/views/store.ts", "../store/read.ts"),
  importing("probe/views/sandbox.ts", "../sandbox/npm.ts"),
  importing("probe/views/checks.ts", "../checks/L0.tls.ts"),
  importing("probe/views/facts.ts", "../facts/tls.ts"),
  importing("probe/views/testing.ts", "../testing/transcripts.ts"),
  importing("probe/checks/node.ts", "node:net"),
  importing("probe/checks/sibling.ts", "./L0.tls.ts"),
  importing("probe/checks/facts.ts", "../facts/tls.ts"),
  importing("probe/checks/evaluate.ts", "../evaluate.ts"),
  importing("probe/checks/methodology.ts", "../../methodology/history.ts"),
  importing("probe/facts/transport.ts", "../transport/guard.ts"),
  importing("methodology/verdict/1.1.0/index.ts", "node:fs"),
  importing("methodology/verdict/1.1.0/views.ts", "../../../probe/views/opening.ts"),
  importing("methodology/metrics/checks.ts", "../../probe/checks/index.ts"),
  importing("methodology/metrics/store.ts", "../../probe/store/read.ts"),
  importing("methodology/metrics/scripts.ts", "../../scripts/api/schema.ts"),
  importing("site/src/pages/probe.ts", "../../../probe/check.ts"),
  importing("site/src/pages/methodology.ts", "../../../methodology/history.ts"),
  importing("site/src/pages/scripts.ts", "../../../scripts/api/schema.ts"),
  ...[
    ["Date.now()", "no-restricted-properties"],
    ["Math.random()", "no-restricted-properties"],
    ['fetch("https://x.example")', "no-restricted-globals"],
    ["process.env", "no-restricted-globals"],
    ["globalThis.Date", "no-restricted-globals"],
    ["setTimeout(() => 1, 1)", "no-restricted-globals"],
  ].flatMap(([expression = "", rule = ""], index) =>
    ["probe/views", "probe/checks", "probe/facts", "methodology/verdict/1.0.0"].map((folder) => ({
      why: `${expression} in ${folder}`,
      file: `${folder}/impure${index}.ts`,
      text: `export const value = (): unknown => ${expression};`,
      rule,
    })),
  ),
];

/** What the rules must leave alone. */
const permitted: readonly { file: string; text: string; why: string }[] = [
  printing("probe/cli.ts"),
  printing("probe/report.ts"),
  printing("probe/bin.js"),
  printing("scripts/tick.ts"),
  importing("scripts/start.ts", "../probe/testing/embedded/start.ts"),
  importing("scripts/update-golden.ts", "../probe/testing/transcripts.ts"),
  importing("probe/testing/one.ts", "./transcripts.ts"),
  importing("methodology/testing/one.ts", "../../probe/testing/transcripts.ts"),
  importing("site/src/components/search.ts", "../scripts/search.ts"),
  importing("probe/checks/L0.tls.test.ts", "../testing/transcripts.ts"),
  importing("probe/checks/index.ts", "node:fs"),
  importing("probe/facts/index.ts", "node:fs"),
  importing("methodology/index.ts", "node:fs"),
  importing("probe/checks/L1.a_.ts", "../check.ts"),
  importing("probe/checks/L1.b_.ts", "../views/opening.ts"),
  importing("probe/checks/L1.c_.ts", "../rules.ts"),
  importing("probe/checks/L1.d_.ts", "../transcript/body.ts"),
  importing("probe/checks/L1.e_.ts", "ajv"),
  importing("probe/facts/f.ts", "../fact.ts"),
  importing("methodology/verdict/1.1.0/observed.ts", "../../../probe/observation.ts"),
  {
    why: "an import of a type",
    file: "site/src/lib/api.ts",
    text: 'import type { A } from "../../../scripts/api/schema.ts";\nexport type B = A;',
  },
];

const root = import.meta.dirname;
let folder = "";
let found: readonly { file: string; rule: string }[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lint-"));
  await cp(join(root, "oxlint.config.ts"), join(folder, "oxlint.config.ts"));
  await cp(join(root, "tsconfig.json"), join(folder, "tsconfig.json"));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  await write("probe/shape.ts", "export type Shape = { sides: number };");
  await write("probe/f.ts", 'import { e } from "./e.ts";\nexport const f = (): unknown => e;');
  for (const { file, text } of [...offences, ...permitted]) await write(file, text);
  found = await lint();
}, 60_000);

afterAll(() => rm(folder, { recursive: true }));

describe("the linter", () => {
  test.each(offences)("refuses $why ($file)", ({ file, rule }) => {
    expect(found.filter((finding) => finding.file === file)).toEqual([{ file, rule }]);
  });

  test.each(permitted)("permits $why ($file)", ({ file }) => {
    expect(found.filter((finding) => finding.file === file)).toEqual([]);
  });
});

function importing(file: string, from: string) {
  const text = `import { thing } from "${from}";\nexport const same: unknown = thing;`;
  return { why: `an import of ${from}`, file, text, rule: "no-restricted-imports" };
}

function printing(file: string) {
  return { why: "printing", file, text: 'console.log("x");', rule: "no-console" };
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), `${text}\n`);
}

async function lint(): Promise<typeof found> {
  const program = join(root, "node_modules/oxlint/bin/oxlint");
  const folders = ["probe", "methodology", "scripts", "site"];
  const output = await new Promise<string>((resolve) => {
    const options = { cwd: folder, maxBuffer: 2 ** 26 };
    // Its exit code says that there are findings, and there must be some.
    execFile(process.execPath, [program, "--format=json", ...folders], options, (_, stdout) =>
      resolve(stdout),
    );
  });
  const { diagnostics } = JSON.parse(output) as {
    diagnostics: { filename: string; code: string }[];
  };
  return diagnostics.map(({ filename, code }) => ({
    file: filename,
    rule: /\((?<rule>.+)\)/.exec(code)?.groups?.["rule"] ?? code,
  }));
}
