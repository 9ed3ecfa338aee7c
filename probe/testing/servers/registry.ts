/** A package registry on loopback, for the real package manager: it knows what a test publishes. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

export interface Published {
  readonly name: string;
  readonly version: string;
  readonly bin?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
  /** Texts by path, besides the manifest. */
  readonly files?: Readonly<Record<string, string>>;
}

export interface Registry {
  readonly url: string;
  /** Paths that were asked for, in order. */
  readonly asked: readonly string[];
  stop(): Promise<void>;
}

/** Serves these packages; with `status` it answers everything with that instead. */
export async function serveRegistry(
  published: readonly Published[],
  status?: number,
): Promise<Registry> {
  const asked: string[] = [];
  const archives = new Map<string, Buffer>();
  for (const each of published) archives.set(archiveOf(each), await pack(each));
  const server = createServer(({ url: path = "" }, response) => {
    asked.push(path);
    if (status !== undefined) return void response.writeHead(status).end();
    const archive = archives.get(path);
    if (archive) return void response.end(archive);
    const named = published.filter(({ name }) => path === `/${name.replace("/", "%2f")}`);
    if (named.length === 0) json(response, 404, { error: "Not found" });
    else json(response, 200, documentOf(named, archives, url));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    asked,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const archiveOf = ({ name, version }: Published) => `/archives/${name}-${version}.tgz`;

function documentOf(
  versions: readonly Published[],
  archives: ReadonlyMap<string, Buffer>,
  url: string,
) {
  const manifests = versions.map((each) => {
    const archive = archives.get(archiveOf(each))!;
    const integrity = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
    const { files: _, ...manifest } = each;
    return { ...manifest, dist: { tarball: url + archiveOf(each), integrity } };
  });
  return {
    name: versions[0]!.name,
    "dist-tags": { latest: versions.at(-1)!.version },
    versions: Object.fromEntries(manifests.map((manifest) => [manifest.version, manifest])),
  };
}

/** The archive as the package manager itself makes it. */
async function pack({ files = {}, ...manifest }: Published): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), "probity-pack-"));
  try {
    const contents = { ...files, "package.json": JSON.stringify(manifest) };
    for (const [path, text] of Object.entries(contents)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const args = ["pack", "--json", "--ignore-scripts", "--loglevel=error"];
    const { stdout } = await promisify(execFile)("npm", args, { cwd: folder });
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    return await readFile(join(folder, filename));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
