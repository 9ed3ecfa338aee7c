import { describe, expect, test } from "vitest";
import { isAllowed } from "./guard.ts";

describe("the address guard", () => {
  test.each([
    ["a public IPv4 address", "8.8.8.8"],
    ["a public IPv6 address", "2606:4700:4700::1111"],
    ["a public address behind NAT64", "64:ff9b::808:808"],
  ])("lets %s through", (_, address) => {
    expect(isAllowed(address, false)).toBe(true);
  });

  test.each([
    ["loopback", "127.0.0.1"],
    ["IPv6 loopback", "::1"],
    ["a private network", "192.168.1.1"],
    ["cloud metadata", "169.254.169.254"],
    ["metadata as an IPv4-mapped IPv6 address", "::ffff:169.254.169.254"],
    ["metadata behind NAT64", "64:ff9b::a9fe:a9fe"],
    ["a private address in 6to4", "2002:0a00:0001::1"],
    ["carrier-grade NAT", "100.64.0.1"],
    ["a unique local IPv6 address", "fd00::1"],
    ["an IPv6 link-local address", "fe80::1"],
    ["multicast", "224.0.0.1"],
    ["the unspecified address", "0.0.0.0"],
    ["broadcast", "255.255.255.255"],
    ["a documentation network", "203.0.113.7"],
  ])("keeps the probe from %s", (_, address) => {
    expect(isAllowed(address, false)).toBe(false);
  });

  test("lets loopback through only for those who ask for it, and nothing else with it", () => {
    expect(isAllowed("127.0.0.1", true)).toBe(true);
    expect(isAllowed("::1", true)).toBe(true);
    expect(isAllowed("10.0.0.1", true)).toBe(false);
  });
});
