import { defineFact } from "../fact.ts";
import { exchanges } from "../views/exchanges.ts";
import { carrierHead } from "../views/hops.ts";

export default defineFact({
  id: "status_202_with_body",
  title: "Answer with 202",
  describes:
    "True for a server that answered a request in the body of an HTTP 202, which common clients throw away.",
  run: (transcript) =>
    exchanges(transcript).some(
      ({ reply }) => reply && carrierHead(transcript.events, reply.message)?.status === 202,
    ) || undefined,
  show: () => "answers in the body of a 202",
});
