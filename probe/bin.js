#!/usr/bin/env node
// Starts the command line from its TypeScript sources. Plain JavaScript, so that any Node runs it
// far enough to say what is missing.
const [major] = process.versions.node.split(".");
if (Number(major) < 24) {
  console.error(
    `probity needs Node 24 or newer, this is ${process.version}. Inside the repository "npx probity" uses the one that npm ci installed.`,
  );
  process.exit(2);
}
const { register } = await import("tsx/esm/api");
register();
const { keepHeapSmall } = await import("./heap.ts");
keepHeapSmall();
const { main } = await import("./cli.ts");
process.exitCode = await main(process.argv.slice(2));
