import { describe, expect, test } from "vitest";
import { httpTranscript, remoteTarget, stdioTranscript } from "../testing/transcripts.ts";
import type { Event, Transcript } from "../transcript/schema.ts";
import check from "./L0.tls.ts";

/** The healthy conversation with another end of its handshake. */
function withFault(code: string, presented = true): Transcript {
  const transcript = httpTranscript();
  const events = transcript.events.slice(0, 3).map((event): Event => {
    if (event.type !== "tls") return event;
    return { ...event, chain: presented ? event.chain : [], fault: { code, message: code } };
  });
  return { ...transcript, events };
}

test("passed with a certificate that is valid for the host", () => {
  expect(check.run(httpTranscript())).toEqual({
    outcome: "passed",
    because: "TLSv1.3, with a certificate valid until 2027-01-01.",
    evidence: [2],
  });
});

describe("failed with", () => {
  test.each([
    ["CERT_HAS_EXPIRED", "certificate-expired"],
    ["CERT_NOT_YET_VALID", "certificate-not-yet-valid"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "certificate-name-mismatch"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "certificate-untrusted"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "certificate-untrusted"],
    ["SOME_OTHER_CERTIFICATE_FAULT", "certificate-untrusted"],
  ])("%s as %s", (code, reason) => {
    expect(check.run(withFault(code))).toMatchObject({ outcome: "failed", reason, evidence: [2] });
  });

  test("a handshake that broke off before a certificate came", () => {
    expect(check.run(withFault("ECONNRESET", false))).toMatchObject({
      outcome: "failed",
      reason: "tls-handshake-failed",
    });
  });

  test("a public http URL", () => {
    const transcript = httpTranscript({ target: remoteTarget("http://mcp.example/mcp") });
    expect(check.run(transcript)).toMatchObject({ outcome: "failed", reason: "not-https" });
  });
});

describe("does not apply", () => {
  test("to a process", () => {
    expect(check.run(stdioTranscript())).toMatchObject({ outcome: "inapplicable", evidence: [] });
  });
  test.each(["http://127.0.0.1:3000/mcp", "http://localhost/mcp", "https://[::1]/mcp"])(
    "on loopback: %s",
    (url) => {
      const transcript = httpTranscript({ target: remoteTarget(url) });
      expect(check.run(transcript)).toMatchObject({ outcome: "inapplicable" });
    },
  );
});

test("a name that only begins like loopback is not loopback", () => {
  const transcript = httpTranscript({ target: remoteTarget("http://127.0.0.1.evil.example/mcp") });
  expect(check.run(transcript)).toMatchObject({ outcome: "failed", reason: "not-https" });
});

test("cannot be told when no handshake is on record", () => {
  const transcript = httpTranscript();
  const events = transcript.events.slice(0, 2);
  expect(check.run({ ...transcript, events })).toMatchObject({ outcome: "cantTell" });
});
