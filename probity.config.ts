/** The one file a fork edits. */
export default {
  /** Name of the directory, shown on every page. */
  name: "Probity",
  /**
   * Address of the published site, without a slash at the end. The probe names it in its User-Agent
   * and the command line in its links. Until a site is published this is where `npm start` serves it.
   */
  url: "http://localhost:4321",
  /** Path under which the site is served: "/" or "/name". */
  base: "/",
  /** Where the code and the data live, and where disputes are opened. */
  repository: "https://github.com/example/probity",
  /** Reverse-DNS key of what this directory adds to `_meta` of a server.json. */
  key: "example.probity",
  /** Where the probe runs; one region, named on every page. */
  region: "local",
} as const;
