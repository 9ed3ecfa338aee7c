/** Transcripts in files of their own: one JSON document, or JSON Lines with one a line. */
import { access, constants, copyFile, link, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { text as readStream } from "node:stream/consumers";
import { z } from "zod";
import { UsageError } from "../errors.ts";
import { exists } from "../store/folders.ts";
import { Transcript } from "../transcript/schema.ts";

/** Reads every transcript of a file, `-` for standard input. Throws a UsageError for bad input. */
export async function readTranscripts(path: string): Promise<readonly Transcript[]> {
  const text = path === "-" ? await readStream(process.stdin) : await read(path);
  const name = path === "-" ? "standard input" : path;
  if (text.trim() === "") throw new UsageError(`${name} is empty. Record a transcript first.`);
  const whole = parse(text);
  if (whole !== undefined) return [check(whole, name)];
  return text
    .split("\n")
    .map((line, index) => ({ line, place: `${name}:${index + 1}` }))
    .filter(({ line }) => line.trim() !== "")
    .map(({ line, place }) => check(parse(line), place));
}

/** Fails early, before a long recording, when a transcript could not be written to `path`. */
export async function checkWritable(path: string): Promise<void> {
  const folder = dirname(path);
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder)
    throw new UsageError(`${folder} is not a folder. Create it, or name another file.`);
  await access(folder, constants.W_OK).catch(() => {
    throw new UsageError(`${folder} cannot be written to. Name a file in another folder.`);
  });
  if (await exists(path)) throw alreadyThere(path);
}

/** Writes one transcript whole or not at all, and never over a file that came meanwhile. */
export async function writeTranscript(path: string, transcript: Transcript): Promise<void> {
  const beside = `${path}.${process.pid}.part`;
  try {
    await writeFile(beside, `${JSON.stringify(z.encode(Transcript, transcript))}\n`, {
      flag: "wx",
    });
    await place(beside, path);
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (code === "EEXIST") throw alreadyThere(path);
    throw new UsageError(`${path} could not be written: ${message}`, { cause: error });
  } finally {
    await rm(beside, { force: true });
  }
}

/** A second name for the file, unless the name is taken; a copy where disks know no second names. */
async function place(beside: string, path: string): Promise<void> {
  try {
    await link(beside, path);
  } catch (error) {
    if ((error as { code?: string }).code === "EEXIST") throw error;
    await copyFile(beside, path, constants.COPYFILE_EXCL);
  }
}

function alreadyThere(path: string): UsageError {
  return new UsageError(`${path} exists, and a record is never overwritten. Name another file.`);
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "ENOENT") throw new UsageError(`${path} does not exist. Check the path.`);
    if (code === "EISDIR") throw new UsageError(`${path} is a folder. Name a transcript in it.`);
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function check(json: unknown, place: string): Transcript {
  if (json === undefined) {
    throw new UsageError(`${place} is not JSON. A transcript is what "probity record" writes.`);
  }
  const parsed = Transcript.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const where = issue.path.length > 0 ? ` at ${issue.path.join(".")}` : "";
  throw new UsageError(`${place} is not a transcript: ${issue.message}${where}.`);
}
