/**
 * The JSON of messages. The last ones read stay parsed, up to a sum; one that is larger by itself
 * stays until the next is asked for. Everything else is read again from where its bytes are.
 */
import { parseJson } from "./json.ts";

/** What is kept parsed at most: bytes as a rule of thumb, since nobody can ask an engine. */
const MOST_KEPT = 8 * 1024 * 1024;

const kept = new Map<Parsed, unknown>();
let cost = 0;

export class Parsed {
  readonly #again: () => string;
  readonly #cost: number;

  /** `again` reads the text, whose JSON is `json` and takes about so many bytes of memory. */
  constructor(again: () => string, json: unknown, bytes: number) {
    this.#again = again;
    this.#cost = bytes;
    this.#keep(json);
  }

  text(): string {
    return this.#again();
  }

  json(): unknown {
    if (kept.has(this)) {
      const json = kept.get(this);
      // To the end of the line: those not asked for the longest go first.
      kept.delete(this);
      kept.set(this, json);
      return json;
    }
    this.#makeRoom();
    return this.#keep(parseJson(this.#again()));
  }

  /** What it takes is free before it is taken, so that two large messages are never held at once. */
  #makeRoom(): void {
    for (const oldest of kept.keys()) {
      if (cost + this.#cost <= MOST_KEPT) return;
      kept.delete(oldest);
      cost -= oldest.#cost;
    }
  }

  #keep(json: unknown): unknown {
    this.#makeRoom();
    kept.set(this, json);
    cost += this.#cost;
    return json;
  }
}
