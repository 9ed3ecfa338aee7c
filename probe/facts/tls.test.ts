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
  expect(fact.show({ ...value, protocol: null, daysLeft: 1 })).toBe(
    "TLS, certificate of CN=Test CA, 1 day left",
  );
});

test("counts a certificate that has expired below zero", () => {
  const startedAt = "2027-01-02T12:00:00.000Z";
  expect(fact.run({ ...httpTranscript(), startedAt })).toMatchObject({ daysLeft: -2 });
});

test("absent for a process, and where no certificate came", () => {
  expect(fact.run(stdioTranscript())).toBeUndefined();
  const transcript = httpTranscript();
  expect(fact.run({ ...transcript, events: transcript.events.slice(0, 2) })).toBeUndefined();
});
