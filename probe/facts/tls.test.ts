import { expect, test } from "vitest";
import { httpTranscript, stdioTranscript } from "../testing/transcripts.ts";
import fact from "./tls.ts";

test("is the certificate that was presented, and its age when it was probed", () => {
  const value = fact.run(httpTranscript())!;
  expect(value).toEqual({
    protocol: "TLSv1.3",
    issuer: "CN=Test CA",
    validTo: "2027-01-01T00:00:00Z",
    daysLeft: 31,
  });
  expect(fact.show(value)).toBe("TLSv1.3, certificate of CN=Test CA, 31 days left");
});

test("absent for a process, and where no certificate came", () => {
  expect(fact.run(stdioTranscript())).toBeUndefined();
  const transcript = httpTranscript();
  expect(fact.run({ ...transcript, events: transcript.events.slice(0, 2) })).toBeUndefined();
});
