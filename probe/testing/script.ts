/** Writes what a built conversation looks like on record, one exchange after another. */
import { bytesOf } from "../transcript/body.ts";
import type { Event, Purpose } from "../transcript/schema.ts";

/** How the server answers one request. `id` overrides the echoed id; `raw` is the body or line as is. */
export type Answer =
  | { result: unknown; id?: unknown; status?: number; headers?: Record<string, string> }
  | { error: unknown; id?: unknown; status?: number; headers?: Record<string, string> }
  | { raw: string; status?: number; headers?: Record<string, string> }
  | { broke: string }
  | { timedOut: number }
  | { exited: number };

/** How a GET for the stream of HTTP+SSE went; by default it names an endpoint and goes on. */
export interface StreamStart {
  status?: number;
  headers?: Record<string, string>;
  /** What came over it. */
  raw?: string;
  /** How it ended, if it did. */
  end?: "ended" | "capped" | { broke: string } | { timedOut: number };
  /** Nothing was sent after it. */
  useless?: true;
}

export interface Request {
  method: string;
  purpose: Purpose;
  params?: unknown;
  /** No id: a notification. */
  notification?: true;
}

/** Writes the events of one exchange after another, 10 ms apart. */
export class Script {
  readonly events: Event[] = [];
  over = false;
  #at = 10;
  #exchange = 0;
  #id = 0;
  /** Undefined on a pipe. */
  readonly #url: string | undefined;
  readonly #modern: boolean;
  /** The exchange whose body carries the replies, once there is one. */
  #stream: number | undefined;

  constructor(url: string | undefined, modern: boolean) {
    this.#url = url;
    this.#modern = modern;
  }

  add(event: Event): void {
    this.events.push(event);
  }

  receive(channel: number | "stdout", text: string): void {
    this.add({ type: "received", at: this.#at, channel, data: bytesOf(text) });
  }

  /** Opens the stream of HTTP+SSE; from then on replies come as its events. */
  stream(start: StreamStart): void {
    const exchange = ++this.#exchange;
    const { status = 200, headers = { "content-type": "text/event-stream" }, end } = start;
    const raw = start.raw ?? "event: endpoint\ndata: /message?session=1\n\n";
    const accept: [string, string][] = [["accept", "text/event-stream"]];
    const http = { method: "GET", url: this.#url!, headers: accept };
    const data = bytesOf("");
    this.add({
      type: "sent",
      at: this.#at,
      exchange,
      purpose: "stream",
      replies: exchange,
      http,
      data,
    });
    this.#at += 10;
    const refused = typeof end === "object" && raw === "";
    if (!refused) {
      this.add({
        type: "responded",
        at: this.#at,
        exchange,
        status,
        headers: Object.entries(headers),
      });
    }
    if (raw !== "") this.receive(exchange, raw);
    this.#endStream(exchange, end);
    this.#stream = exchange;
    this.over = start.useless ?? false;
  }

  #endStream(exchange: number, end: StreamStart["end"]): void {
    if (end === undefined) return;
    if (end === "ended") return this.add({ type: "ended", at: this.#at, channel: exchange });
    if (end === "capped") {
      const limit = 16 * 1024 * 1024;
      return this.add({ type: "capped", at: this.#at, channel: exchange, limit });
    }
    if ("broke" in end) {
      const fault = { code: end.broke, message: end.broke };
      return this.add({ type: "broke", at: this.#at, exchange, fault });
    }
    this.#at += end.timedOut;
    this.add({ type: "timed-out", at: this.#at, exchange, after: end.timedOut });
  }

  exchange(request: Request, answer: Answer | undefined): void {
    const id = request.notification
      ? undefined
      : request.purpose === "unknown-method"
        ? "p-1"
        : ++this.#id;
    this.#send(request, id);
    this.#at += 10;
    if (!answer) return;
    const exchange = this.#exchange;
    if ("broke" in answer) {
      const fault = { code: answer.broke, message: answer.broke };
      this.add({ type: "broke", at: this.#at, exchange, fault });
    } else if ("timedOut" in answer) {
      this.#at += answer.timedOut;
      this.add({ type: "timed-out", at: this.#at, exchange, after: answer.timedOut });
    } else if ("exited" in answer) {
      this.add({ type: "exited", at: this.#at, code: answer.exited, signal: null });
      this.over = true;
    } else {
      this.#answer(id, answer);
    }
  }

  #send(request: Request, id: unknown): void {
    const params = request.params ?? (this.#modern ? { _meta: META } : undefined);
    const message = { jsonrpc: "2.0", id, method: request.method, params };
    const exchange = ++this.#exchange;
    const common = { type: "sent", at: this.#at, exchange, purpose: request.purpose } as const;
    const data = bytesOf(JSON.stringify(message) + (this.#url === undefined ? "\n" : ""));
    if (this.#url === undefined) return this.add({ ...common, replies: "stdout", data });
    const http = {
      method: "POST",
      url: this.#stream === undefined ? this.#url : new URL("/message?session=1", this.#url).href,
      headers: [["content-type", "application/json"]] as [string, string][],
    };
    this.add({ ...common, replies: this.#stream ?? exchange, http, data });
  }

  #answer(
    id: unknown,
    answer: Extract<Answer, { result: unknown } | { error: unknown } | { raw: string }>,
  ): void {
    const text = "raw" in answer ? answer.raw : envelope(id, answer);
    if (this.#url === undefined) {
      if (text !== "") this.receive("stdout", `${text}\n`);
      return;
    }
    const headers = { "content-type": "application/json", ...answer.headers };
    const exchange = this.#exchange;
    const stream = (answer.status ?? 200) < 300 ? this.#stream : undefined;
    if (stream !== undefined) {
      const own = { "content-type": "text/plain" };
      this.add({
        type: "responded",
        at: this.#at,
        exchange,
        status: 202,
        headers: Object.entries(own),
      });
      this.receive(exchange, "Accepted");
      this.add({ type: "ended", at: this.#at, channel: exchange });
      if (text !== "") this.receive(stream, `event: message\ndata: ${text}\n\n`);
      return;
    }
    this.add({
      type: "responded",
      at: this.#at,
      exchange,
      status: answer.status ?? 200,
      headers: Object.entries(headers),
    });
    if (text !== "") this.receive(exchange, text);
    this.add({ type: "ended", at: this.#at, channel: exchange });
  }
}

const META = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };

function envelope(
  id: unknown,
  answer: { result: unknown; id?: unknown } | { error: unknown; id?: unknown },
): string {
  const echoed = "id" in answer ? answer.id : id;
  const payload = "result" in answer ? { result: answer.result } : { error: answer.error };
  return JSON.stringify({ jsonrpc: "2.0", id: echoed, ...payload });
}
