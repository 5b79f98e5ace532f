/** Networks in CIDR form: what they hold, and the strict form of newer fields. */
import { isIPv4 } from "node:net";
import type { Rule } from "@homeostat/schema";
import { checkCidrText } from "../../resources/service-cidr-check.ts";
import { canonicalIp, familyOfIp } from "./ip-addresses.ts";

/** What comes before an IPv4 address that is written as an IPv6 one. */
const MAPPED = "0".repeat(80) + "1".repeat(16);

export interface Network {
  readonly family: 4 | 6;
  /** Of the address, 32 or 128 of them, first one first. */
  readonly bits: string;
  readonly length: number;
  /** The one way to write it. */
  readonly canonical: string;
}

/** Leading zeros are read over, and so are bits behind the prefix. Undefined for what is no network. */
export function readNetwork(text: string): Network | undefined {
  const [address = "", prefix = "", ...more] = text.split("/");
  const family = familyOfIp(address);
  if (family === undefined || more.length > 0 || !/^\d+$/.test(prefix)) return undefined;
  const ip = canonicalIp(address);
  const bits = isIPv4(ip) ? (address.includes(":") ? MAPPED : "") + bitsOfIpv4(ip) : bitsOfIpv6(ip);
  const length = Number(prefix);
  if (length > bits.length) return undefined;
  return { family, bits, length, canonical: `${ip}/${length}` };
}

/** Whether all of `inner` is in `outer`, and not the other way round. */
export function isStrictPart(inner: Network, outer: Network): boolean {
  if (inner.family !== outer.family || inner.length <= outer.length) return false;
  return inner.bits.startsWith(outer.bits.slice(0, outer.length));
}

/** For newer fields: also in the one way to write it. */
export const strictCidr: Rule<string> = (value = "", place) => {
  const problems = checkCidrText(value);
  for (const problem of problems) place.invalid(value, problem);
  const canonical = readNetwork(value)?.canonical ?? value;
  if (problems.length === 0 && canonical !== value) {
    place.invalid(value, `must be in canonical form (${JSON.stringify(canonical)})`);
  }
};

function bitsOfIpv4(ip: string): string {
  return ip
    .split(".")
    .map((part) => toBits(Number(part), 8))
    .join("");
}

/** Of the canonical form. */
function bitsOfIpv6(ip: string): string {
  const [head = "", tail] = ip.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail ? tail.split(":") : [];
  const zeros = Array<string>(8 - before.length - after.length).fill("0");
  return [...before, ...zeros, ...after]
    .map((part) => toBits(Number.parseInt(part, 16), 16))
    .join("");
}

function toBits(value: number, width: number): string {
  return value.toString(2).padStart(width, "0");
}
