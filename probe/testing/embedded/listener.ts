/** One server that listens on a loopback port, as a process of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { UsageError } from "../../errors.ts";

export interface Program {
  readonly name: string;
  /** Script and arguments for `node`. It reads `PORT` and says "listening on port <port>", or "running". */
  readonly argv: readonly string[];
}

const WITH_PARENT = import.meta.resolve("./with-parent.ts");

/** How long a server may take until it listens, in milliseconds. */
const PATIENCE = 30_000;
/** Another program can take a port between our look and the start of the server. */
const TRIES = 3;
/** How much of a server's output an error shows, in characters. */
const TAIL = 2000;
/** How a server says that it is up, and where. */
const UP = /(?:listening|running) on port (\d+)\b/;

/**
 * Starts a program and gives the port on which it listens: `preferred` when it is free and not 0.
 * `children` receives every process before it runs. UsageError when it ends or stays silent.
 */
export async function startListener(
  { name, argv }: Program,
  preferred: number,
  children: ChildProcess[],
): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const port = (attempt === 1 && (await freePort(preferred))) || (await freePort(0));
    const child = spawn(process.execPath, ["--import", WITH_PARENT, ...argv], {
      env: { PORT: String(port) },
      // Its input ends with us, however we end, and with it ends the server.
      stdio: ["pipe", "pipe", "pipe"],
    });
    children.push(child);
    const { listens, output } = await listening(child, port);
    if (listens) return port;
    if (attempt === TRIES || !output.includes("EADDRINUSE")) {
      throw new UsageError(`The embedded server ${name} did not start. It said:\n${output}`);
    }
  }
}

/** Ends a process that `startListener` made, and resolves when it is gone. */
export async function stopListener(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

/** Waits until a server says that it listens, ends, or has had time enough. */
function listening(
  child: ChildProcess,
  port: number,
): Promise<{ listens: boolean; output: string }> {
  return new Promise((resolve) => {
    let output = "";
    const settle = (listens: boolean) => {
      clearTimeout(timer);
      resolve({ listens, output });
    };
    const timer = setTimeout(() => settle(false), PATIENCE);
    const read = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-TAIL);
      if (UP.exec(output)?.[1] === String(port)) settle(!output.includes("EADDRINUSE"));
    };
    // Both pipes are read for as long as the server lives: a full pipe would stop it.
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("error", (error) => {
      output += error.message;
      settle(false);
    });
    child.once("close", () => settle(false));
  });
}

/** The port, or any port for 0, when nobody listens on it on any address; else 0. */
async function freePort(port: number): Promise<number> {
  const server = createServer();
  try {
    await once(server.listen(port), "listening");
    const address = server.address();
    return typeof address === "object" && address ? address.port : 0;
  } catch {
    return 0;
  } finally {
    server.close();
  }
}
