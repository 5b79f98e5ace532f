import { BlockList, isIPv6 } from "node:net";

const NOT_GLOBAL = new BlockList();
NOT_GLOBAL.addAddress("0.0.0.0");
NOT_GLOBAL.addAddress("255.255.255.255");
NOT_GLOBAL.addSubnet("127.0.0.0", 8);
NOT_GLOBAL.addSubnet("169.254.0.0", 16);
NOT_GLOBAL.addSubnet("224.0.0.0", 4);
NOT_GLOBAL.addAddress("::", "ipv6");
NOT_GLOBAL.addAddress("::1", "ipv6");
NOT_GLOBAL.addSubnet("fe80::", 10, "ipv6");
NOT_GLOBAL.addSubnet("ff00::", 8, "ipv6");

/**
 * Whether an IP address can be another machine's: not loopback, link-local, multicast or
 * unspecified, an IPv4 address written as IPv6 included. Private networks are global in this sense.
 */
export function isGlobalAddress(address: string): boolean {
  const isSix = isIPv6(address);
  const plain = isSix ? address.replace(/%.*$/, "") : address;
  return !NOT_GLOBAL.check(plain, isSix ? "ipv6" : "ipv4");
}
