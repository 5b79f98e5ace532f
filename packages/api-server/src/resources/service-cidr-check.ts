/** What is wrong with a network in CIDR form, in a field older than strict checking. */
import { isIPv4, isIPv6 } from "node:net";
import { FieldError, type FieldPath } from "@homeostat/object-model";

export const MALFORMED_CIDR = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";
const IPV4_WITH_ZEROS = /^\d{1,3}(\.\d{1,3}){3}$/;

export function checkCidr(cidr: string, path: FieldPath): FieldError[] {
  return checkCidrText(cidr).map((problem) => FieldError.invalid(path, cidr, problem));
}

export function checkCidrText(cidr: string): string[] {
  const problem = problemOf(cidr);
  return problem === undefined ? [] : [problem];
}

function problemOf(cidr: string): string | undefined {
  const [address = "", length = "", ...rest] = cidr.split("/");
  const bytes = IPV4_WITH_ZEROS.test(address) ? address.split(".").map(Number) : undefined;
  const four = bytes?.every((byte) => byte < 256) ?? false;
  const six = isIPv6(address) && !address.includes("%");
  const isLength = /^\d+$/.test(length) && Number(length) <= (four ? 32 : 128);
  if (rest.length > 0 || !(four || six) || !isLength) return MALFORMED_CIDR;
  if ((four && !isIPv4(address)) || /^0\d/.test(length)) {
    return "must not have leading 0s in IP or prefix length";
  }
  if (six && /^(0{0,4}:){1,6}ffff:\d+\.\d+/i.test(address)) {
    return "must not have an IPv4-mapped IPv6 address";
  }
  const bits = four ? bitsOfIpv4(bytes ?? []) : bitsOfIpv6(address);
  if (bits.slice(Number(length)).includes("1")) {
    return "must not have bits set beyond the prefix length";
  }
  return undefined;
}

function bitsOfIpv4(bytes: readonly number[]): string {
  return bytes.map((byte) => byte.toString(2).padStart(8, "0")).join("");
}

function bitsOfIpv6(address: string): string {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = "", tail] = canonical.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail ? tail.split(":") : [];
  const zeros = Array<string>(8 - before.length - after.length).fill("0");
  return [...before, ...zeros, ...after]
    .map((part) => Number.parseInt(part, 16).toString(2).padStart(16, "0"))
    .join("");
}
