/** Addresses in fields that are older than strict checking: not canonical is fine, ambiguous is not. */
import { isIPv4, isIPv6 } from "node:net";
import type { Rule } from "@homeostat/schema";

const MALFORMED = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";

/** Four numbers up to 255, without leading zeros: what most addresses are, and nothing wrong with it. */
const PLAIN_IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** Undefined for what is no address at all; leading zeros are read over. */
export function familyOfIp(text: string): 4 | 6 | undefined {
  const plain = withoutLeadingZeros(text);
  if (isIPv4(plain)) return 4;
  if (plain.includes("%") || !isIPv6(plain)) return undefined;
  return isMapped(plain) ? 4 : 6;
}

export function checkLegacyIp(text: string): string[] {
  const plain = withoutLeadingZeros(text);
  if (familyOfIp(text) === undefined) return [MALFORMED];
  if (plain !== text) return ["must not have leading 0s"];
  if (!isIPv4(text) && isMapped(text)) return ["must not be an IPv4-mapped IPv6 address"];
  return [];
}

export const legacyIp: Rule<string> = (value = "", place) => {
  for (const problem of checkLegacyIp(value)) place.invalid(value, problem);
};

function canonicalIpv6(text: string): string {
  return new URL(`http://[${text}]`).hostname.slice(1, -1);
}

/** The one way to write it; an IPv6 text that stands for an IPv4 address becomes that. */
export function canonicalIp(text: string): string {
  const plain = withoutLeadingZeros(text);
  if (isIPv4(plain)) return plain;
  const host = canonicalIpv6(plain);
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(host);
  if (mapped === null) return host;
  const [high, low] = [Number.parseInt(mapped[1]!, 16), Number.parseInt(mapped[2]!, 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** For newer fields: also in the one way to write it. */
export const strictIp: Rule<string> = (value = "", place) => {
  const problems = checkLegacyIp(value);
  for (const problem of problems) place.invalid(value, problem);
  if (problems.length > 0) return;
  const canonical = canonicalIp(value);
  if (canonical !== value) {
    place.invalid(value, `must be in canonical form (${JSON.stringify(canonical)})`);
  }
};

/** What to tell a client of an address that is accepted, `field` being where it is. */
export function ipWarnings(field: string, text: string): string[] {
  if (PLAIN_IPV4.test(text)) return [];
  const family = familyOfIp(text);
  if (family === undefined) return [];
  const [shown, canonical] = [JSON.stringify(text), JSON.stringify(canonicalIp(text))];
  if (checkLegacyIp(text).length > 0) {
    return [`${field}: non-standard IP address ${shown} is invalid: use ${canonical}`];
  }
  if (family === 4 || shown === canonical) return [];
  return [`${field}: IPv6 address ${shown} should be in RFC 5952 canonical format (${canonical})`];
}

/** Whether an IPv6 text stands for an IPv4 address (`::ffff:1.2.3.4`). */
function isMapped(text: string): boolean {
  return /^::ffff:[0-9a-f]+:[0-9a-f]+$/.test(canonicalIpv6(text));
}

/** Of the dotted part. In time linear in the text, which may be long and nothing like an address. */
function withoutLeadingZeros(text: string): string {
  const start = text.lastIndexOf(":") + 1;
  const parts = text.slice(start).split(".");
  if (parts.length !== 4 || !parts.every((part) => /^\d+$/.test(part))) return text;
  return text.slice(0, start) + parts.map((part) => part.replace(/^0+(?=\d)/, "")).join(".");
}
