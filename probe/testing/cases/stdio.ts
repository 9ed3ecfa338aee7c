/** Servers that speak over standard input and output. */
import { expect } from "vitest";
import { isRunning } from "../../store/lock.ts";
import { INITIALIZE } from "../transcripts.ts";
import type { Case, Outcome } from "./case.ts";
import { reply } from "./healthy.ts";
import { eventsIn } from "./probe-case.ts";
import type { Pipe, Said } from "./program.ts";

const ENVELOPE = { verdict: "degraded", checks: { "L1.envelope": "failed" } } as const;
const SILENT = {
  verdict: "dead",
  checks: { "L0.initialize": "failed" },
} as const;

const BANNER = "\n╭──────────╮\n│ Fixtures │\n╰──────────╯\nStarting the server\n";
const LOG_RECORD = `{"level":30,"id":<id>,"msg":"start","result":{"ok":true}}\n`;

/** Changes what is said to one method and leaves all else. */
const to =
  (wanted: string, said: string) =>
  ({ method }: { method: string | undefined }): Said | undefined =>
    method === wanted ? { raw: said } : undefined;

/** The probe left no process of the server behind. */
function nothingLeft({ pids }: Outcome): void {
  expect(pids.length).toBeGreaterThan(0);
  expect(pids.filter(isRunning)).toEqual([]);
}

const stops = (outcome: Outcome) => eventsIn(outcome, "stopping").map(({ by }) => by);

function usage(pipe: Pipe, { code, lines }: { code: number; lines: number }): void {
  pipe.out("Usage: fixture [command]\n");
  for (let i = 1; i < lines; i += 1) pipe.out(`  option${i}   Sets API_KEY or option ${i}\n`);
  pipe.exit(code);
}

export const stdio: readonly Case[] = [
  {
    id: "S01",
    title: "Banners and coloured logs on standard output around a right handshake",
    source: "https://github.com/homeassistant-ai/ha-mcp/issues/2374",
    variants: {
      a: {
        what: "a box and a line of text before the first reply fail the envelope alone",
        server: { wire: "stdio", start: (pipe) => pipe.out(BANNER) },
        expected: ENVELOPE,
      },
      b: {
        what: "a banner glued to the reply hides it from every client",
        server: {
          wire: "stdio",
          answer: to("initialize", "Starting server...<reply>\n"),
        },
        expected: SILENT,
      },
      c: {
        what: "a line printed in the middle of the conversation fails the envelope",
        server: {
          wire: "stdio",
          answer: to("tools/list", "Successfully initialized client\n<reply>\n"),
        },
        expected: ENVELOPE,
      },
      d: {
        what: "a log line in colours fails the envelope",
        server: {
          wire: "stdio",
          start: (pipe) =>
            pipe.out("\u001b[2m2026-05-09T10:00:00Z\u001b[0m \u001b[32m INFO\u001b[0m ready\n"),
        },
        expected: ENVELOPE,
      },
      e: {
        what: "blank lines and CRLF are nobody's fault",
        server: {
          wire: "stdio",
          start: (pipe) => pipe.out("\n\n"),
          answer: (ask) => (ask.id === undefined ? undefined : { raw: "\r\n<reply>\r\n" }),
        },
        expected: { verdict: "alive" },
      },
    },
  },
  {
    id: "S02",
    title: "Log records on standard output that look like messages",
    source: "https://github.com/s-stefanov/actual-mcp/issues/161",
    variants: {
      a: {
        what: "a dump of an object over several lines fails the envelope",
        server: {
          wire: "stdio",
          start: (pipe) =>
            pipe.out("[Breadcrumb] {\n  message: 'loading',\n}\nSyncing since 1\n1\nnull\n"),
        },
        expected: ENVELOPE,
      },
      b: {
        what: "a record with our id and a result is not taken for the reply that follows",
        server: { wire: "stdio", answer: to("initialize", `${LOG_RECORD}<reply>\n`) },
        expected: ENVELOPE,
      },
      c: {
        what: "nor for a reply that never comes",
        server: { wire: "stdio", answer: to("initialize", LOG_RECORD) },
        expected: SILENT,
      },
    },
  },
  {
    id: "S03",
    title: "A notification, or a ping with our own id, before the first reply",
    source: "https://github.com/auth0/auth0-mcp-server/issues/161",
    variants: {
      a: {
        what: "a log notification at once is allowed",
        server: {
          wire: "stdio",
          start: (pipe) =>
            pipe.out(
              `{"method":"notifications/message","params":{"level":"info","data":"running"},"jsonrpc":"2.0"}\n`,
            ),
        },
        expected: { verdict: "alive" },
      },
      b: {
        what: "a ping that must be answered before the reply comes is answered",
        server: pingsFirst(),
        expected: { verdict: "alive" },
      },
    },
  },
  {
    id: "S04",
    title: "A byte order mark, and CRLF",
    source: "https://github.com/joshrotenberg/tower-mcp/issues/1303",
    variants: {
      a: {
        what: "a byte order mark before the first reply fails the envelope, not the opening",
        server: { wire: "stdio", answer: to("initialize", "\ufeff<reply>\n") },
        expected: ENVELOPE,
      },
      b: {
        what: "lines that end in CRLF are fine",
        server: {
          wire: "stdio",
          answer: (ask) => (ask.id === undefined ? undefined : { raw: "<reply>\r\n" }),
        },
        expected: { verdict: "alive" },
      },
    },
  },
  {
    id: "S06",
    title: "A command that prints its usage and ends",
    source: "https://github.com/samuelgursky/davinci-resolve-mcp/issues/41",
    variants: {
      a: {
        what: "with status 0 it is dead, although it names a variable for keys",
        server: {
          wire: "stdio",
          start: (pipe) => void pipe.clock.after(80, () => usage(pipe, { code: 0, lines: 20 })),
          answer: () => "nothing",
        },
        expected: SILENT,
      },
      b: {
        what: "with status 1 and 297 lines it is dead too",
        server: {
          wire: "stdio",
          start(pipe) {
            pipe.err("Required command was not provided.\n");
            usage(pipe, { code: 1, lines: 297 });
          },
          answer: () => "nothing",
        },
        expected: SILENT,
      },
    },
  },
  {
    id: "S09",
    title: "A first start that takes longer than the handshake may",
    source: "https://github.com/artokun/comfyui-mcp/issues/1447",
    variants: {
      a: {
        what: "thirty seconds of installing are not counted",
        server: {
          wire: "stdio",
          install: (clock) => new Promise((done) => clock.after(30_000, () => done(undefined))),
          answer(ask, pipe) {
            if (ask.method !== "initialize") return undefined;
            const text = reply(ask.id, { result: INITIALIZE });
            pipe.clock.after(1200, () => pipe.out(`${text}\n`));
            return "nothing";
          },
        },
        expected: {
          verdict: "alive",
          also({ observation: { facts } }) {
            const { ms } = facts["install_time"] as { ms: number };
            const { opening } = facts["latency"] as { opening: number };
            expect([Math.floor(ms / 10_000), Math.floor(opening / 1000)]).toEqual([3, 1]);
          },
        },
      },
      b: {
        what: "a version that the registry does not have is dead, and asked for once",
        server: {
          wire: "stdio",
          install: async () => ({ step: "look-up", fault: NO_SUCH_VERSION }),
        },
        expected: {
          verdict: "dead",
          checks: { "L0.reachable": "failed" },
          also(outcome) {
            const met = eventsIn(outcome, "installed").map(({ fault }) => fault?.code);
            expect(met).toEqual(["ETARGET", "ETARGET", "ETARGET"]);
            expect([outcome.pids, outcome.installs]).toEqual([[], 1]);
          },
        },
      },
      c: {
        what: "a registry that is out of reach is our fault",
        server: {
          wire: "stdio",
          install: async () => ({ step: "look-up", fault: NO_REGISTRY }),
          broken: ["registry"],
        },
        expected: {
          verdict: "unverifiable",
          formerly: "unverifiable",
          reason: "control-failed",
          checks: { "L0.reachable": "cantTell" },
          attempts: 1,
        },
      },
      d: {
        what: "an import that hangs for 25 s is dead by the letter",
        server: {
          wire: "stdio",
          answer(ask, pipe) {
            if (ask.method !== "initialize") return "nothing";
            const text = reply(ask.id, { result: INITIALIZE });
            pipe.clock.after(26_000, () => pipe.out(`${text}\n`));
            return "nothing";
          },
        },
        expected: SILENT,
      },
      e: {
        what: "an answer after a second is fine",
        server: {
          wire: "stdio",
          answer(ask, pipe) {
            if (ask.method !== "initialize") return undefined;
            const text = reply(ask.id, { result: INITIALIZE });
            pipe.clock.after(1000, () => pipe.out(`${text}\n`));
            return "nothing";
          },
        },
        expected: { verdict: "alive" },
      },
      f: {
        what: "a package that does not come from a registry that works is unavailable",
        server: {
          wire: "stdio",
          install: async () => ({ step: "install", fault: NO_REGISTRY }),
        },
        expected: {
          verdict: "unverifiable",
          formerly: "unverifiable",
          reason: "package-unavailable",
          checks: { "L0.reachable": "untested" },
          attempts: 1,
        },
      },
    },
  },
  {
    id: "S10",
    title: "A server that blocks unless its standard error is read",
    source: "https://github.com/mark3labs/mcp-go/issues/956",
    variants: {
      a: {
        what: "256 KiB on standard error before each reply",
        server: {
          wire: "stdio",
          answer(ask, pipe) {
            if (ask.id !== undefined) pipe.err("x".repeat(262_144));
            return undefined;
          },
        },
        expected: { verdict: "alive" },
      },
      b: {
        what: "warnings of 8 KB about the unknown method",
        server: {
          wire: "stdio",
          answer(ask, pipe) {
            if (ask.method === "probe/unknown-method") pipe.err("warning\n".repeat(1024));
            return undefined;
          },
        },
        expected: { verdict: "alive" },
      },
    },
  },
  {
    id: "S11",
    title: "Processes that outlive their run",
    source: "https://github.com/ihor-sokoliuk/mcp-searxng/pull/60",
    variants: {
      a: {
        what: "one that ignores the end of its input and SIGTERM is killed",
        server: { wire: "stdio", start: (pipe) => pipe.ignoreSignals(), end: () => {} },
        expected: {
          verdict: "alive",
          facts: { shutdown: "killed" },
          also(outcome) {
            expect(stops(outcome)).toEqual(["stdin", "SIGTERM", "SIGKILL"]);
            nothingLeft(outcome);
          },
        },
      },
      b: {
        what: "one that spins when its input ends is killed",
        server: {
          wire: "stdio",
          start(pipe) {
            pipe.ignoreSignals();
            pipe.spinAtEnd();
          },
          end: () => {},
        },
        expected: { verdict: "alive", facts: { shutdown: "killed" }, also: nothingLeft },
      },
    },
  },
  {
    id: "S12",
    title: "Replies that come only, or get lost, when the input ends",
    source: "https://github.com/DeusData/codebase-memory-mcp/issues/513",
    variants: {
      a: {
        what: "one that says everything when its input ends never answers in time",
        server: repliesAtTheEnd(),
        expected: SILENT,
      },
      b: {
        what: "one that loses a reply when its input ends at once is normal",
        server: { wire: "stdio" },
        expected: { verdict: "alive" },
      },
    },
  },
  {
    id: "S13",
    title: "A fixed port beside standard input and output",
    source: "https://github.com/shinzo-labs/gmail-mcp/issues/84",
    variants: {
      b: {
        what: "a port that is in use is a fault of our sandbox",
        server: {
          wire: "stdio",
          start(pipe) {
            pipe.err("Error: listen EADDRINUSE: address already in use :::3000\n");
            pipe.exit(1);
          },
          answer: () => "nothing",
        },
        expected: {
          verdict: "unverifiable",
          formerly: "unverifiable",
          reason: "control-failed",
          checks: { "L0.initialize": "cantTell" },
          attempts: 1,
        },
      },
    },
  },
];

const NO_SUCH_VERSION = { code: "ETARGET", message: "No matching version found" };
const NO_REGISTRY = { code: "ECONNREFUSED", message: "connect ECONNREFUSED" };

function pingsFirst(): Case["variants"][string]["server"] {
  let opening: unknown;
  return {
    wire: "stdio",
    answer(ask, pipe) {
      if (ask.method === "initialize") {
        opening = ask.id;
        return { raw: `{"jsonrpc":"2.0","id":<id>,"method":"ping"}\n` };
      }
      // Our answer to the ping carries the same id as our own request did.
      if (ask.method === undefined && ask.id === opening) {
        pipe.out(`${reply(opening, { result: INITIALIZE })}\n`);
        return "nothing";
      }
      return undefined;
    },
  };
}

function repliesAtTheEnd(): Case["variants"][string]["server"] {
  const ids: unknown[] = [];
  return {
    wire: "stdio",
    answer(ask) {
      if (ask.method === "initialize") ids.push(ask.id);
      return "nothing";
    },
    end(pipe) {
      for (const id of ids) pipe.out(`${reply(id, { result: INITIALIZE })}\n`);
      pipe.exit(0);
    },
  };
}
