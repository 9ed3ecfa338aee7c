/** A contract server over stdio: `node stdio.ts BEHAVIOUR`. */
import { createInterface } from "node:readline";
import { type Behaviour, BINARY_PIECES } from "./behaviour.ts";

const behaviour = process.argv[2] as Behaviour;
const { stdin, stdout } = process;

createInterface(stdin).on("line", (line) => {
  switch (behaviour) {
    case "echo":
      stdout.write(`{"echo":${line}}\n`);
      break;
    case "binary":
      for (const piece of BINARY_PIECES) stdout.write(piece);
      stdout.write("\n");
      break;
    case "breaks":
      process.exit(3);
      break;
    case "flood":
      flood();
      break;
    case "silent":
      break;
  }
});

function flood(): void {
  const chunk = Buffer.alloc(65536, "x");
  const more = (): void => {
    while (stdout.write(chunk));
    stdout.once("drain", more);
  };
  more();
}
