/** Addresses of network interfaces, with the size of their network: `10.9.8.7/24`. */
import { isIPv4 } from "node:net";
import type { Rule } from "@homeostat/schema";
import { canonicalIp, familyOfIp } from "./ip-addresses.ts";

const MALFORMED = "must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)";

export const interfaceAddress: Rule<string> = (value = "", place) => {
  const canonical = canonicalAddress(value);
  if (canonical === undefined) place.invalid(value, MALFORMED);
  else if (canonical !== value) {
    place.invalid(value, `must be in canonical form (${JSON.stringify(canonical)})`);
  }
};

function canonicalAddress(text: string): string | undefined {
  const slash = text.indexOf("/");
  if (slash === -1) return undefined;
  const [address, length] = [text.slice(0, slash), text.slice(slash + 1)];
  if (familyOfIp(address) === undefined || !/^\d{1,3}$/.test(length)) return undefined;
  const bits = Number(length);
  const isDotted = !address.includes(":");
  if (bits > (isDotted ? 32 : 128)) return undefined;
  const canonical = canonicalIp(address);
  // An IPv4 address in IPv6's clothes: so is its network.
  const isMapped = !isDotted && isIPv4(canonical);
  return `${canonical}/${isMapped && bits > 32 ? bits - 96 : bits}`;
}
