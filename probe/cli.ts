/**
 * The command line: arguments in, exit code out. 0 all passed, 1 something failed, 2 wrong usage,
 * 3 could not tell. Results go to standard output, progress and complaints to standard error.
 */
import { Command, CommanderError, Option } from "commander";
import { Interrupted, interruptible } from "./command-line/interrupt.ts";
import { exitCodeOf, judge, reportOf } from "./command-line/judge.ts";
import { progressOn } from "./command-line/progress.ts";
import { probe, type Probed, type ProbeFlags } from "./command-line/probe.ts";
import type { Named } from "./command-line/target.ts";
import { checkWritable, readTranscripts, writeTranscript } from "./command-line/transcript-file.ts";
import { complain } from "./errors.ts";
import { PROBE } from "./identity.ts";
import type { Transcript } from "./transcript/schema.ts";

/** Runs one command and returns its exit code; writes nothing but to the standard streams and `-o`. */
export async function main(argv: readonly string[]): Promise<number> {
  let code = 0;
  // Behind "--" nothing is ours: it is a command, or what a package's program is started with.
  const separator = argv.indexOf("--");
  const ours = separator < 0 ? argv : argv.slice(0, separator);
  const theirs = separator < 0 ? [] : argv.slice(separator + 1);
  const program = new Command("probity")
    .description("Tells whether an MCP server really works, and shows the evidence.")
    .version(PROBE.version)
    .exitOverride()
    .configureOutput({
      // As all our complaints begin.
      outputError: (text, write) => write(text.replace(/^error: /, "probity: ")),
    })
    .showHelpAfterError("(probity --help tells what can be asked)");

  target(program.command("check"), "Probe a server and report what it did")
    .option("--json", "print the observation as it would be stored")
    .addOption(
      new Option("--attempts <n>", "try an opening that fails up to 3 times, a minute apart")
        .choices(["1", "2", "3"])
        .default("1"),
    )
    .action(async (words: string[], flags: CheckFlags) => {
      const attempts = Number(flags.attempts);
      code = tell(await ask({ words, theirs }, { ...flags, attempts }), flags.json);
    });

  target(program.command("record"), "Probe a server and keep what was said, unjudged")
    .requiredOption("-o, --output <file>", "where to write the transcript; it must not exist")
    .action(async (words: string[], flags: ProbeFlags & { output: string }) => {
      await checkWritable(flags.output);
      const transcript = (await ask({ words, theirs }, flags)).attempts[0]!;
      await writeTranscript(flags.output, transcript);
      console.error(
        `${flags.output}: ${transcript.events.length} events. Judge it with: probity judge ${flags.output}`,
      );
    });

  program
    .command("judge")
    .description("Judge recorded transcripts, without asking the server again")
    .argument(
      "<file>",
      "a transcript, or JSON Lines of the attempts at targets; - reads standard input",
    )
    .option("--json", "print the observations as they would be stored")
    .action(async (file: string, flags: { json?: boolean }) => {
      const transcripts = await readTranscripts(file);
      for (const attempts of byObservation(transcripts)) {
        code = Math.max(code, tell({ attempts, control: [] }, flags.json));
      }
    });

  try {
    await program.parseAsync(ours, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof Interrupted) return error.exitCode;
    return complain(error);
  }
}

/** The options that say which server is meant and how it may be reached. */
function target(command: Command, description: string): Command {
  return command
    .description(description)
    .usage("[options] <url | npm:package[@version] args… | -- command args…>")
    .argument("[words...]", "the server: a URL, an npm package, or a command behind --")
    .addOption(
      new Option("--era <era>", "which protocol era to try")
        .choices(["auto", "legacy", "modern"])
        .default("auto"),
    )
    .addOption(
      new Option("--transport <transport>", "how to talk to a URL; auto tries both")
        .choices(["auto", "streamable-http", "sse"])
        .default("auto"),
    )
    .option("--liveness", "ask only whether it opens (L0)")
    .option("--allow-loopback", "let the URL lead to this machine")
    .option("--env <NAME=VALUE>", "set a variable of the process; may be repeated", collect)
    .option("--trust", "run an npm package without a sandbox, with your own rights");
}

const collect = (pair: string, before: readonly string[] = []) => [...before, pair];

type CheckFlags = Omit<ProbeFlags, "attempts"> & { json?: boolean; attempts: string };

async function ask(server: Named, flags: ProbeFlags): Promise<Probed> {
  const progress = progressOn(process.stderr);
  try {
    return await interruptible((signal) => probe(server, { ...flags, signal }, progress.say));
  } finally {
    progress.end();
  }
}

function tell({ attempts, control }: Probed, json: boolean | undefined): number {
  const judgement = judge(attempts, control);
  const text = json
    ? `${JSON.stringify(judgement.observation)}\n`
    : reportOf(judgement, process.stdout.columns ?? 100);
  process.stdout.write(text);
  return exitCodeOf(judgement);
}

/** Transcripts that follow each other as attempts 1, 2, 3 of one target make one observation. */
function byObservation(transcripts: readonly Transcript[]): Transcript[][] {
  const groups: Transcript[][] = [];
  for (const transcript of transcripts) {
    const last = groups.at(-1);
    const before = last?.at(-1);
    const follows =
      before?.target.key === transcript.target.key && before.attempt + 1 === transcript.attempt;
    if (follows) last!.push(transcript);
    else groups.push([transcript]);
  }
  return groups;
}
