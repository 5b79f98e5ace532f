import type { networkInterfaces } from "node:os";
import { expect, test } from "vitest";
import { advertisedAddress } from "./advertised-address.ts";

const INTERFACES = {
  lo: [{ address: "127.0.0.1", family: "IPv4", internal: true }],
  eth0: [
    { address: "fe80::1", family: "IPv6", internal: false },
    { address: "192.0.2.7", family: "IPv4", internal: false },
  ],
} as unknown as ReturnType<typeof networkInterfaces>;

test.for([
  ["198.51.100.1", "198.51.100.1"],
  ["0.0.0.0", "192.0.2.7"],
  ["127.0.0.1", "192.0.2.7"],
  ["::1", "192.0.2.7"],
])("bound to %s, others find it at %s", ([bound, address]) => {
  expect(advertisedAddress(bound!, INTERFACES)).toBe(address);
});

test("a host without a network has no address to tell", () => {
  expect(advertisedAddress("127.0.0.1", {})).toBeUndefined();
});
