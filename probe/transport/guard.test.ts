import { describe, expect, test } from "vitest";
import { isAllowed, resolveGuarded } from "./guard.ts";

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
    ["an IPv6 documentation network", "2001:db8::1"],
    ["a newer IPv6 documentation network", "3fff::1"],
    ["the unspecified IPv6 address", "::"],
    ["IPv6 multicast", "ff02::1"],
    ["a network of this host", "0.1.2.3"],
    ["a private network of class A", "10.0.0.5"],
    ["a private network of class B", "172.31.255.254"],
    ["the end of loopback", "127.255.255.254"],
    ["a network for benchmarks", "198.18.0.1"],
    ["a reserved network", "240.0.0.1"],
    ["protocol assignments, with the metadata of a cloud", "192.0.0.192"],
    ["the metadata of a cloud behind carrier-grade NAT", "100.100.100.200"],
    ["the wire server of a cloud, whose address is public", "168.63.129.16"],
    ["the wire server as a mapped address", "::ffff:168.63.129.16"],
    ["IPv6 metadata of a cloud", "fd00:ec2::254"],
    ["an IPv4-compatible address", "::127.0.0.1"],
    ["an IPv4-compatible private address", "::a00:1"],
    ["a translated address (SIIT)", "::ffff:0:127.0.0.1"],
    ["loopback behind a local NAT64", "64:ff9b:1::7f00:1"],
    ["Teredo", "2001::1"],
    ["ORCHID", "2001:20::1"],
    ["the discard prefix", "100::1"],
    ["segment routing", "5f00::1"],
    ["site-local, although deprecated", "fec0::1"],
    ["an anycast relay of 6to4", "192.88.99.1"],
    ["space that nobody has been given", "4000::1"],
  ])("keeps the probe from %s", (_, address) => {
    expect(isAllowed(address, false)).toBe(false);
  });

  test.each([
    ["a decimal number", "http://2130706433/"],
    ["octal", "http://0177.0.0.1/"],
    ["hexadecimal", "http://0x7f000001/"],
    ["a short form", "http://127.1/"],
    ["zero", "http://0/"],
    ["other digits of Unicode", "http://①②⑦.0.0.1/"],
    ["a trailing dot", "http://127.0.0.1./"],
    ["a mapped address", "http://[::ffff:127.0.0.1]/"],
    ["metadata as a number", "http://2852039166/"],
  ])("keeps the probe from an address spelled as %s, without a look-up", async (_, url) => {
    const resolve = () => Promise.reject(new Error("asked"));
    const found = await resolveGuarded(new URL(url).hostname, resolve, false);
    expect(found.map(({ allowed }) => allowed)).toEqual([false]);
  });

  test.each(["localhost", "localhost.", "a.localhost", "metadata.google.internal"])(
    "judges the name %s by every address that it leads to",
    async (host) => {
      const resolve = async () => [
        { address: "127.0.0.1", family: 4 },
        { address: "::1", family: 6 },
        { address: "8.8.8.8", family: 4 },
      ];
      const found = await resolveGuarded(host, resolve, false);
      expect(found.map(({ allowed }) => allowed)).toEqual([false, false, true]);
    },
  );

  test("lets loopback through only for those who ask for it, and nothing else with it", () => {
    expect(isAllowed("127.0.0.1", true)).toBe(true);
    expect(isAllowed("::1", true)).toBe(true);
    expect(isAllowed("10.0.0.1", true)).toBe(false);
  });
});
