/**
 * `npm start -- [--once] [--port N] [--data DIR]`: the whole line on one machine. Starts the embedded
 * servers, probes them, appends a run, publishes it, builds the site and serves it.
 */
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join, relative, resolve, sep } from "node:path";
import { parseArgs } from "node:util";
import { build, preview } from "astro";
import { currentVerdict } from "../methodology/index.ts";
import { assessAlone } from "../methodology/methodology.ts";
import { complain, UsageError } from "../probe/errors.ts";
import { everyTarget, type Ran, run } from "../probe/run.ts";
import { prepareTrusted } from "../probe/sandbox/trusted.ts";
import { makeFolder } from "../probe/store/folders.ts";
import { takeLock } from "../probe/store/lock.ts";
import { listingsFolder, newDataFolder } from "../probe/store/paths.ts";
import { movedPorts, portsBefore } from "../probe/testing/embedded/ports.ts";
import { type Embedded, startEmbedded } from "../probe/testing/embedded/start.ts";
import config from "../probity.config.ts";
import { apiOf } from "./api/build.ts";
import { replaceFolder } from "./api/write.ts";

const ROOT = resolve(import.meta.dirname, "..");
const SITE = join(ROOT, "site");
const API = join(SITE, "public/api/v1");

/** Conversations at the same time: processes are started too, and they share the machine. */
const CONCURRENCY = 4;

try {
  const { values } = parseArgs({
    options: {
      once: { type: "boolean", default: false },
      port: { type: "string", default: "4321" },
      data: { type: "string", default: ".demo/data" },
    },
  });
  const port = portOf(values.port);
  const data = newDataFolder(values.data, join(ROOT, "data"));
  if (!values.once && !(await isFree(port))) {
    throw new UsageError(`Port ${port} is in use. Choose another: npm start -- --port 4322`);
  }
  // Before anything starts: where this cannot be made, nothing can be stored either.
  await makeFolder(listingsFolder(data));
  // The published files and the built site have one place, also while they are served.
  const release = await takeLock({
    path: join(ROOT, ".demo/.lock"),
    patience: 0,
    held: "npm start runs here",
  });
  try {
    await demo(data);
    if (!values.once) await serve(port);
  } finally {
    await release();
  }
} catch (error) {
  process.exitCode = complain(error);
}

async function demo(data: string): Promise<void> {
  const started = performance.now();
  // The same ports again, so that targets keep their addresses and get a history.
  const before = await portsBefore(data);
  const embedded = await startEmbedded({ ports: before });
  try {
    for (const sentence of movedPorts(before, embedded.ports)) console.error(sentence);
    await writeListings(data, embedded);
    const ran = await probe(data);
    console.log(`\n${table(ran)}\n`);
    console.log(`Run ${ran.id} is in ${shown(data)}.`);
  } finally {
    await embedded.stop();
  }
  const { files, bytes } = await replaceFolder(API, apiOf(data));
  console.log(`Published ${files} API files, ${Math.ceil(bytes / 1024)} KiB.`);
  await build({ root: SITE, logLevel: "error" });
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(`Built the site. ${seconds} s in all.`);
}

async function probe(data: string): Promise<Ran> {
  const plan = await everyTarget(data);
  console.log(`Probing ${plan.length} targets of ${shown(data)}/listings`);
  return run(plan, {
    dataDir: data,
    kind: "full",
    name: `demo-${Date.now().toString(36)}`,
    region: config.region,
    concurrency: CONCURRENCY,
    // The embedded servers listen on this machine, and their packages are dependencies of ours.
    allowLoopback: true,
    prepare: (target) => prepareTrusted(target, ROOT),
    // An older verdict would ask what speaks only the newer era twice more, for two minutes.
    repeat: "current",
    onWait: ({ target }, due) =>
      console.log(`  trying ${target.key} again at ${new Date(due).toLocaleTimeString("en-GB")}`),
    onDone: ({ planned }) => console.log(`  ${planned.listing}  ${planned.target.key}`),
  });
}

/** One line a target: its verdict and the sentence behind it. */
function table({ observations, skips }: Ran): string {
  const rows = observations.map((observation) => {
    const { verdict, because } = assessAlone(currentVerdict, observation);
    return [verdict ?? "no verdict", observation.target, because];
  });
  rows.push(...skips.map(({ target, reason }) => ["skipped", target, reason]));
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

async function writeListings(data: string, { listings }: Embedded): Promise<void> {
  for (const listing of listings) {
    const path = join(listingsFolder(data), `${listing.name}.json`);
    await makeFolder(dirname(path));
    await writeFile(path, `${JSON.stringify(listing, null, 2)}\n`);
  }
}

async function serve(port: number): Promise<void> {
  const server = await preview({ root: SITE, logLevel: "error", server: { port } });
  console.log(`\nServing http://localhost:${port}${config.base} – Ctrl+C ends it.`);
  await server.closed();
}

/** A folder of the repository without the way to it, any other in full. */
function shown(folder: string): string {
  return folder.startsWith(ROOT + sep) ? relative(ROOT, folder) : folder;
}

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new UsageError(`"${text}" is no port. Choose a number from 1 to 65535.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer();
    server.once("error", () => done(false));
    server.listen(port, () => server.close(() => done(true)));
  });
}
