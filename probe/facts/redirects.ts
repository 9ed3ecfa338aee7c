import { defineFact } from "../fact.ts";
import { streamOf } from "../views/event-stream.ts";
import { exchanges } from "../views/exchanges.ts";
import { headerOf } from "../views/messages.ts";
import { originOf } from "../views/network.ts";
import { opening } from "../views/opening.ts";
import { count } from "../views/words.ts";

export default defineFact({
  id: "redirects",
  title: "Redirects",
  describes:
    "How the opening was redirected with its method kept: the first status, how many hops, and the origin that answered in the end where it is another one.",
  run(transcript) {
    const { target } = transcript;
    const exchange = opening(transcript).exchange ?? exchanges(transcript)[0];
    if (target.kind !== "remote" || !exchange) return undefined;
    // HTTP+SSE opens with a GET. A stream that is taken up again was opened before.
    const all = [...(streamOf(transcript, exchange)?.hops ?? []), ...exchange.hops].filter(
      ({ sent }) => sent.purpose !== "resume",
    );
    const hops = all.filter(({ response }) => {
      const status = response?.status ?? 0;
      return (
        (status === 307 || status === 308) &&
        response !== undefined &&
        headerOf(response.headers, "location") !== undefined
      );
    });
    const status = hops[0]?.response?.status;
    if (status === undefined) return undefined;
    const last = originOf(all.at(-1)!.sent.http?.url ?? "");
    return { status, to: last === originOf(target.url) ? null : last, hops: hops.length };
  },
  show: ({ status, to, hops }) =>
    `${count(hops, "redirect")} (HTTP ${status})${to === null ? "" : `, to ${to}`}`,
});
