import { expect, test } from "vitest";
import { packageTranscript, stdioTranscript } from "../testing/transcripts.ts";
import fact from "./install_time.ts";

test("is how long the package took", () => {
  expect(fact.run(packageTranscript({ took: 30_000 }))).toEqual({ ms: 30_000 });
  expect(fact.show({ ms: 30_000 })).toBe("30 s to install");
});

test("absent where it was there already, or never came", () => {
  expect(fact.run(stdioTranscript())).toBeUndefined();
  const fault = { code: "E404", message: "Not Found" };
  expect(fact.run(packageTranscript({ fault }))).toBeUndefined();
});
