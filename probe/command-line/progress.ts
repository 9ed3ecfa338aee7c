/** One line on standard error that says what the probe is doing; it goes when the probe is done. */
import { clearLine, cursorTo } from "node:readline";
import type { WriteStream } from "node:tty";
import pc from "picocolors";
import type { Event } from "../transcript/schema.ts";
import { visible } from "./visible.ts";

export interface Progress {
  say(words: string): void;
  end(): void;
}

/** On a terminal one line that is rewritten, elsewhere a line each. */
export function progressOn(stream: WriteStream): Progress {
  if (!stream.isTTY) return { say: (words) => void stream.write(`${words}\n`), end: () => {} };
  const wipe = () => {
    cursorTo(stream, 0);
    clearLine(stream, 0);
  };
  return {
    say(words) {
      wipe();
      stream.write(pc.dim(`… ${words.slice(0, stream.columns - 4)}`));
    },
    end: wipe,
  };
}

/** What an event means for who waits; undefined for one that is not worth a word. */
export function wordsFor(event: Event): string | undefined {
  switch (event.type) {
    case "resolved":
      return `${event.fault ? "did not find" : "found"} ${visible(event.host)}`;
    case "connected":
      return event.fault ? undefined : `connected to ${event.address}`;
    case "installed":
      return event.fault ? undefined : `installed ${visible(event.identifier)}@${event.version}`;
    case "spawned":
      return event.fault ? undefined : `started ${visible(event.argv.join(" "))}`;
    case "sent":
      return event.purpose === "answer" ? undefined : `asking: ${methodOf(event)}`;
    case "stopping":
      return "stopping the process";
    default:
      return undefined;
  }
}

function methodOf(event: Extract<Event, { type: "sent" }>): string {
  const method = /"method":"([\w/]+)"/.exec(Buffer.from(event.data).toString())?.[1];
  return method ?? event.purpose;
}
