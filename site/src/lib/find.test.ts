import { expect, test } from "vitest";
import { find } from "./find.ts";

const servers = [
  { name: "a/clock", title: "Time", description: "Tells the hour, not the weather." },
  { name: "a/weather", title: "Wetter", description: "Forecasts." },
  { name: "a/files", title: "Ｆｉｌｅｓ", description: "Reads files." },
];

test.each([
  ["nothing for an empty query", "  ", []],
  ["named ones before described ones", "weather", ["a/weather", "a/clock"]],
  ["every word must occur", "weather hour", ["a/clock"]],
  ["case and width make no difference", "FILES", ["a/files"]],
  ["a pattern is only text", ".*", []],
])("%s", (_, query, expected) => {
  expect(find(servers, query).map((row) => row.name)).toEqual(expected);
});
