/**
 * The process that a stdio case starts: `node relay.ts PORT`. It does nothing of its own; what comes
 * on its standard input goes to the test over a socket, and what the test sends comes out. So the
 * server's behaviour is written in the test and keeps its clock, and pipes and signals are real ones.
 */
import { spawn } from "node:child_process";
import { writeSync } from "node:fs";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import type { ToRelay, ToTest } from "./program.ts";

const socket = connect(Number(process.argv[2]), "127.0.0.1");
const tell = (message: ToTest): void => void socket.write(`${JSON.stringify(message)}\n`);

let spins = false;

createInterface(socket).on("line", (line) => obey(JSON.parse(line) as ToRelay));
// The test is over, whatever else keeps this process.
socket.on("close", () => process.exit(0));
socket.on("error", () => process.exit(0));

process.stdin.on("data", (data: Buffer) => tell({ input: data.toString("base64") }));
process.stdin.on("end", () => {
  tell({ end: true });
  while (spins);
});
tell({ started: process.pid });

function obey(order: ToRelay): void {
  switch (order.do) {
    case "write": {
      const bytes = Buffer.from(order.data, "base64");
      const file = order.to === "stdout" ? 1 : 2;
      // Written at once, so that what is asked for next cannot overtake it.
      for (let at = 0; at < bytes.length; at += writeAll(file, bytes.subarray(at)));
      break;
    }
    case "exit":
      process.exit(order.code);
      break;
    case "close-output":
      process.stdout.end();
      break;
    case "ignore-signals":
      process.on("SIGTERM", () => tell({ signal: "SIGTERM" }));
      break;
    case "spin-at-end":
      spins = true;
      break;
    case "leave-orphan": {
      const orphan = spawn("sleep", ["3600"], { detached: true, stdio: "inherit" });
      tell({ orphan: orphan.pid! });
      break;
    }
  }
}

/** Writes what a pipe takes now; a pipe of ours is not blocking and may be full. */
function writeAll(file: number, bytes: Uint8Array): number {
  try {
    return writeSync(file, bytes);
  } catch (error) {
    if ((error as { code?: string }).code === "EAGAIN") return 0;
    throw error;
  }
}
