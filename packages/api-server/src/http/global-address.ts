import { BlockList, isIPv6 } from "node:net";

/** Made with the first question: no start should wait for it. */
let notGlobal: BlockList | undefined;

function localAddresses(): BlockList {
  const list = new BlockList();
  list.addAddress("0.0.0.0");
  list.addAddress("255.255.255.255");
  list.addSubnet("127.0.0.0", 8);
  list.addSubnet("169.254.0.0", 16);
  list.addSubnet("224.0.0.0", 4);
  list.addAddress("::", "ipv6");
  list.addAddress("::1", "ipv6");
  list.addSubnet("fe80::", 10, "ipv6");
  list.addSubnet("ff00::", 8, "ipv6");
  return list;
}

/**
 * Whether an IP address can be another machine's: not loopback, link-local, multicast or
 * unspecified, an IPv4 address written as IPv6 included. Private networks are global in this sense.
 */
export function isGlobalAddress(address: string): boolean {
  const isSix = isIPv6(address);
  const plain = isSix ? address.replace(/%.*$/, "") : address;
  notGlobal ??= localAddresses();
  return !notGlobal.check(plain, isSix ? "ipv6" : "ipv4");
}
