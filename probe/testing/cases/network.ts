/** Names, connections, certificates and redirects; and our own network. */
import { expect } from "vitest";
import type { Resolve } from "../../transport/guard.ts";
import type { Case, Outcome, Variant } from "./case.ts";
import { eventsIn } from "./probe-case.ts";
import type { Answer, Place, Remote } from "./remote.ts";

const DEAD = { verdict: "dead", checks: { "L0.initialize": "failed" } } as const;
const ALIVE = { verdict: "alive" } as const;
const TLS_FAILED = { verdict: "dead", checks: { "L0.tls": "failed" } } as const;

/** Answers what comes to `/mcp` with a redirect. */
const redirects = (status: number, location: (place: Place) => string): Remote => ({
  wire: "http",
  answer: ({ path, host }, place) =>
    path === "/mcp" && host === "mcp.fixture.test"
      ? { status, headers: { location: location(place) } }
      : undefined,
});

const answersAt = (path: string, answer: Answer): NonNullable<Remote["answer"]> => {
  return (ask) => (ask.path === path ? answer : undefined);
};

/** No connection to anywhere but the server's own address. */
function stayedHere(outcome: Outcome): void {
  const addresses = eventsIn(outcome, "connected").map(({ address }) => address);
  expect(new Set(addresses)).toEqual(new Set(["127.0.0.1"]));
}

/** A name that leads to a private address, and all others to the server. */
const internal: Resolve = async (name) => [
  { address: name === "internal.fixture.test" ? "10.0.0.5" : "127.0.0.1", family: 4 },
];

const lost = (code: string): Resolve => {
  return async (name) => {
    // What is known to be good stays known: only this one server's name is lost.
    if (name.endsWith("known.fixture.test")) return [{ address: "127.0.0.1", family: 4 }];
    throw Object.assign(new Error(`getaddrinfo ${code} ${name}`), { code });
  };
};

const certified = (
  certificate: NonNullable<Remote["certificate"]>,
  what: string,
  expected: Variant["expected"],
): Variant => ({ what, server: { wire: "http", certificate }, expected });

export const networkCases: readonly Case[] = [
  {
    id: "H13",
    title: "Redirects on the same host",
    source: "https://github.com/modelcontextprotocol/python-sdk/issues/732",
    variants: {
      a: {
        what: "307 to the path with a slash is followed",
        server: redirects(307, () => "/mcp/"),
        expected: { ...ALIVE, facts: { redirects: { status: 307, to: null } } },
      },
      b: {
        what: "307 to plain HTTP is not",
        server: redirects(307, ({ port }) => `http://mcp.fixture.test:${port}/mcp/`),
        expected: DEAD,
      },
      c: {
        what: "no slash is added where 404 is behind it",
        server: { wire: "http", answer: answersAt("/mcp/", { status: 404 }) },
        expected: ALIVE,
      },
      d: {
        what: "308 to itself ends",
        server: redirects(308, () => "/mcp"),
        expected: {
          ...DEAD,
          also: ({ asked }) => expect(asked.length).toBeLessThanOrEqual(3 * 4),
        },
      },
    },
  },
  {
    id: "H14",
    title: "Redirects elsewhere",
    source: "https://github.com/nasa/earthdata-mcp/issues/50",
    variants: {
      a: {
        what: "301 to a page that is not there",
        server: {
          wire: "http",
          answer: ({ path }) =>
            path === "/mcp"
              ? { status: 301, headers: { location: "/search/mcp/v1" } }
              : { status: 404, headers: { "content-type": "text/html" }, body: "<h1>404</h1>" },
        },
        expected: DEAD,
      },
      b: {
        what: "308 to another host is followed, and said",
        server: redirects(308, ({ port }) => `https://other.fixture.test:${port}/mcp`),
        expected: { ...ALIVE, facts: { redirects: { status: 308, hops: 1 } } },
      },
      c: {
        what: "301 is not followed, since it may turn the POST into a GET",
        server: redirects(301, ({ port }) => `https://www.fixture.test:${port}/mcp`),
        expected: DEAD,
      },
      d: {
        what: "308 to the metadata of a cloud opens no connection",
        server: redirects(308, () => "http://169.254.169.254/latest/meta-data/"),
        expected: { ...DEAD, also: stayedHere },
      },
      e: {
        what: "308 to a name with a private address opens none either",
        server: {
          ...redirects(308, ({ port }) => `https://internal.fixture.test:${port}/`),
          resolve: internal,
        },
        expected: { ...DEAD, also: stayedHere },
      },
    },
  },
  {
    id: "H15",
    title: "Certificates",
    source: "https://github.com/louislam/uptime-kuma/issues/90",
    variants: {
      a: certified("without-intermediate", "a chain that lacks its intermediate", TLS_FAILED),
      b: certified("expired", "one that expired yesterday", TLS_FAILED),
      c: certified("self-signed", "one that signed itself", TLS_FAILED),
      d: certified("other-name", "one for another name", TLS_FAILED),
      e: certified("expiring", "one that lasts two more days is valid", {
        ...ALIVE,
        facts: { tls: { daysLeft: 2 } },
      }),
    },
  },
  {
    id: "O07",
    title: "Our own network, and attempts that are no attempts",
    source: "https://github.com/upptime/upptime/issues/1083",
    variants: {
      a: {
        what: "no name can be looked up, not even those known to be good",
        server: { wire: "http", broken: ["dns"] },
        expected: {
          verdict: "unverifiable",
          reason: "control-failed",
          checks: { "L0.reachable": "cantTell" },
        },
      },
      b: {
        what: "one name cannot be looked up on three attempts",
        server: { wire: "http", resolve: lost("EAI_AGAIN") },
        expected: { verdict: "dead", checks: { "L0.reachable": "failed" } },
      },
      e: {
        what: "the second attempt opens",
        server: {
          wire: "http",
          answer: ({ attempt }) => (attempt === 1 ? "reset" : undefined),
        },
        expected: { ...ALIVE, attempts: 2 },
      },
    },
  },
  {
    id: "N01",
    title: "Addresses",
    source: "https://github.com/upptime/upptime/issues/495",
    variants: {
      a: {
        what: "a server on an IPv6 address",
        server: { wire: "http", listen: "::1" },
        expected: ALIVE,
      },
      b: {
        what: "a dead address before the one that works",
        server: {
          wire: "http",
          resolve: async (name) =>
            name.endsWith("known.fixture.test")
              ? [{ address: "127.0.0.1", family: 4 }]
              : [
                  { address: "::1", family: 6 },
                  { address: "127.0.0.1", family: 4 },
                ],
        },
        expected: ALIVE,
      },
      c: {
        what: "a name that leads to private addresses alone",
        server: {
          wire: "http",
          host: "internal.fixture.test",
          resolve: internal,
        },
        expected: { verdict: "dead", checks: { "L0.reachable": "failed" } },
      },
    },
  },
];
